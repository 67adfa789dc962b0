"""Measures the program on labelled data: ``local-rag-eval``."""
