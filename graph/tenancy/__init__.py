"""Tenants: workspaces, their keys, and people's sessions."""
