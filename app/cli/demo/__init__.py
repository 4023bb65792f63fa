"""The conversation that `recollect demo` imports, and the questions it asks about it."""
