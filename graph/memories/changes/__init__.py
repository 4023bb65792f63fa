"""States that change over time: what somebody or something can have only one of at a time."""
