"""Commands for operators of a deployment."""
