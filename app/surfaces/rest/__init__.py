"""The REST routes: the service's own, and those of other systems' clients."""
