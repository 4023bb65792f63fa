"""Memories in numbered pages, for surfaces that promise them."""
