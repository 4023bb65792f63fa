"""``recollect doctor``: its checks and their display."""
