"""Delivers what happens in a workspace to addresses that it registered."""
