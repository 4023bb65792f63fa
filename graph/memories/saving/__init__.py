"""Saving memories: preparation, writing, and announcements afterwards."""
