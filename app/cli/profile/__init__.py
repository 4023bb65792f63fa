"""Service and key of the command line."""
