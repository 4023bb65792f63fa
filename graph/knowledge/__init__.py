"""The typed graph beside memories: entities, their relations, documents and artifacts."""
