"""The list of automatic changes: what was there before, why, when, and by which job."""
