"""Status of the engine: servers, embedder, indexes and pending work."""
