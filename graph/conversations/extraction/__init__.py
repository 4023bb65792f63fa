"""Extraction: finds lasting facts in messages, by rules and optionally by a language model."""
