"""Vectors of texts: made, indexed in the graph, and mirrored to an external store."""
