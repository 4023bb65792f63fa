"""Shared by every feature: the database, rows, errors, ids and pages."""
