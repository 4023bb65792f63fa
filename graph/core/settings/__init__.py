"""Settings that were changed while running, as they are stored for a workspace or for the deployment."""
