"""Outcomes: how the runs ended that used a memory."""
