"""Whose everything is: workspaces, the keys that open them, and sessions of people."""
