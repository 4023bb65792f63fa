"""``python -m app.cli``: the command line of this checkout, whatever is installed."""

from app.cli import main

main()
