"""Shared by every surface over HTTP: authentication, limits of size and time, and strict JSON."""
