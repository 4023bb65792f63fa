"""Which service the command line speaks to, and what it sends as its key."""
