"""Operation of a deployment: status, settings, and all services in one place."""
