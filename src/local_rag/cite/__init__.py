"""From a draft to numbered citations with their places on the page."""
