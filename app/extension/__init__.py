"""The browser extension: its scripts, which chat pages it knows, and how it is packed."""
