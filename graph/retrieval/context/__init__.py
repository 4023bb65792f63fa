"""Context for an agent before it acts: layers gathered concurrently and rendered within a token budget."""
