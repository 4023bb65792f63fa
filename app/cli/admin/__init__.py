"""Commands for whoever runs a deployment."""
