"""Pure helpers on strings, one noun each."""
