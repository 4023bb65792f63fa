"""Erasure of all data of one user."""
