"""Extraction: facts worth keeping are found in what was said, by rules and, where there is one, by a language model."""
