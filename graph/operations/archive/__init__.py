"""Archives: export of a workspace, or of one user's data, to a file, and restoration from it."""
