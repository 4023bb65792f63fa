"""``python -m app.cli``: the command line of this checkout, not of the installed version."""

from app.cli import main

main()
