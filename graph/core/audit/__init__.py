"""The audit: what administrators and keys did that is not undone easily, by ids and without anybody's words."""
