"""Inputs of the generated client in addition to the SDL and the operations; not installed."""
