"""The writer that lets a chat model phrase the answer and believes none of it unchecked."""
