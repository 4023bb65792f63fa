"""The registry of types in and out: as JSON, and as RDF vocabularies."""
