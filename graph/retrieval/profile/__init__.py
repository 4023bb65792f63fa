"""Profiles: who a user is, from current facts and without a language model."""
