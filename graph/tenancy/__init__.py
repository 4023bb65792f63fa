"""Ownership: workspaces, their keys, and sessions of people."""
