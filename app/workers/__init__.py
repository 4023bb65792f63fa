"""The loops that claim and run jobs."""
