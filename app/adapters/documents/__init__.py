"""Document readers: one module per format, run in a separate process, and the module that starts it."""
