"""Moving a conversation, with all that belongs to it, to another workspace."""
