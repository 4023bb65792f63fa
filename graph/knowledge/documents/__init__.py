"""Documents and their chunks."""
