"""Answers of a run as a language model judges them, by the metrics of ragas.

Only ``metrics`` imports ragas, and ``library`` alone imports that.
"""
