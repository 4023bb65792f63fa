"""The local models that a process needs, and fetching them."""

from app.adapters.embedding.local_models import DEFAULT, LOCAL_MODELS, ModelFiles, fetch_model
from app.adapters.maven import OnBytes
from app.adapters.webjars import WEBJARS, fetch_webjars
from app.settings import EmbeddingSettings
from graph.core.errors import Unavailable
from graph.core.ports import EmbeddingFailed


async def fetch_models(settings: EmbeddingSettings, on_bytes: OnBytes | None = None) -> ModelFiles:
    """Fetch the default local model, and the one that a setting names, where they are not there.

    Returns:
        The default model's files measure the length of texts and the rarity of words, for every embedder.

    Raises:
        Unavailable: One cannot be fetched, or the folder that is named lacks it.
    """
    try:
        if settings.local_model is not None:
            await fetch_model(LOCAL_MODELS[settings.local_model], settings.local_folder, on_bytes)
        return await fetch_model(DEFAULT, settings.local_folder, on_bytes)
    except EmbeddingFailed as error:
        raise Unavailable(
            "embedder",
            f"{error}; let it be downloaded once, or name the folder it is in: RECOLLECT_EMBEDDING_LOCAL_FOLDER",
        ) from error


async def fetch_page_packages(on_bytes: OnBytes) -> None:
    """Fetch the missing packages.

    Raises:
        Unavailable: A package cannot be fetched.
    """
    await fetch_webjars(WEBJARS, on_bytes)
