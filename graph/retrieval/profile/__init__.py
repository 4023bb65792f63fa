"""Profiles: summaries of users from current facts, without a language model."""
