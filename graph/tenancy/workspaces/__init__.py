"""Workspaces, the tenants of a deployment."""
