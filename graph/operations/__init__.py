"""Operation of a deployment: status, settings, archives, webhooks, and all services in one place."""
