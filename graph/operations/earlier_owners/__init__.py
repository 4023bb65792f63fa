"""What was stored before it said whose it is."""
