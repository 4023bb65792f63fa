"""The ontology: typed entities, their relations, and the registry of entity and relation types."""
