"""The typed graph of a workspace: entities, their relations, documents and artifacts."""
