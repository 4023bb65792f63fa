"""Forgetting: memories deleted softly or permanently, cleared in bulk, and swept once they have expired."""
