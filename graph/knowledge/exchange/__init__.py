"""Import and export of the type registry as JSON."""
