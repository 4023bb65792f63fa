"""Answers to questions, made of what the graph holds, with citations; and the audit of every run."""
