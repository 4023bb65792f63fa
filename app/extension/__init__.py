"""The browser extension: its scripts, its supported chat pages, and its packaging."""
