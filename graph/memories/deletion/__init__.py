"""Forgetting: memories deleted softly or for good, cleared in bulk, and swept once they have expired."""
