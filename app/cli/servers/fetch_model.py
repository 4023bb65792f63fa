"""``recollect fetch-model``: fetches the local embedding model and the pages' packages ahead.

For images, and for machines that go offline.
"""

from functools import partial

import typer


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("fetch-model")(fetch_model)


def fetch_model() -> None:
    """Fetch the configured local embedding model and the packages of pages, for an offline start."""
    from app.bootstrap.dependencies import fetch_models, fetch_page_packages
    from app.cli.remote import read_settings
    from app.cli.servers.foreground import plain_console, run_until_signal, shown_progress

    with shown_progress(plain_console()) as on_progress:
        on_bytes = partial(on_progress, "Downloading the embedding model")
        run_until_signal(fetch_models(read_settings().embedding, on_bytes))
    with shown_progress(plain_console()) as on_progress:
        run_until_signal(fetch_page_packages(partial(on_progress, "Downloading the packages of pages")))
