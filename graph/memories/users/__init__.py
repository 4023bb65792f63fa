"""The users of a workspace."""
