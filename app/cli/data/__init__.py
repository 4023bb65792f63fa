"""Commands that save, find, import and export data."""
