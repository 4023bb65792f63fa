"""Who the users of a workspace are."""
