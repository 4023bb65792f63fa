"""API keys and their permissions."""
