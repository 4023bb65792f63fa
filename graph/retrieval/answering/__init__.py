"""Answers to questions from facts of the graph, with citations, and an audit of all runs."""
