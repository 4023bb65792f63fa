"""Associations: typed edges between memories."""
