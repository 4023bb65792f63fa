"""Associations: what one memory has to do with another."""
