"""``python -m app.cli`` runs the command line of this checkout instead of the installed version."""

from app.cli import main

main()
