"""The ontology: typed entities, the relations between them, and the registry of both kinds of types."""
