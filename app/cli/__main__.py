"""``python -m app.cli``: the command line of this checkout, whatever version is installed."""

from app.cli import main

main()
