"""The list of what the engine changed by itself: what was there before, why, when, and by which job."""
