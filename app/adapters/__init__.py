"""The adapters that fulfil the ports of ``graph/core/ports.py``; named by ``app/bootstrap/runtime.py`` only."""
