"""What agents hold in mind for the length of a conversation."""
