"""How the engine stands: servers, embedder, indexes and pending work."""
