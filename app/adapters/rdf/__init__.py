"""RDF documents, read and written."""
