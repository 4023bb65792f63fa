"""Settings that are read and written at run time."""
