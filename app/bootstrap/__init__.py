"""The composition root: the only package that names adapters and turns settings into services."""
