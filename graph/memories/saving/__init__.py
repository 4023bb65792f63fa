"""Saving memories: preparation, planning, writing and announcements."""
