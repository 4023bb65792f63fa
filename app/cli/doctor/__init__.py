"""``recollect doctor``: what it looks at, and how it is shown."""
