"""Distilling: what tools, research and deep thinking brought to light, kept as memories in the background."""
