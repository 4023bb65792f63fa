"""Slots, such as a home or a port, whose value changes over time."""
