"""What a deployment and a workspace allow of documents."""

from dataclasses import dataclass

from graph.core.errors import InvalidInput
from graph.tenancy.workspaces.settings import WorkspaceSettings


@dataclass(frozen=True)
class DocumentPolicy:
    """The rules of a deployment.

    Attributes:
        max_bytes: Largest file.
        max_chunks: Most chunks of one document.
        embed_seconds: How long adding a document waits for the vectors of what is not stored.
        store_text: Whether whole texts are stored, where a workspace does not say.
    """

    max_bytes: int = 20_000_000
    max_chunks: int = 2000
    embed_seconds: float = 15.0
    store_text: bool = False

    def stores_text(self, settings: WorkspaceSettings, wish: bool | None) -> bool:
        """Return whether a document's text is stored: as a workspace has it, unless less is wished for.

        Raises:
            InvalidInput: More is wished for than is allowed.
        """
        chosen = settings.store_document_text
        allowed = self.store_text if chosen is None else chosen
        if wish and not allowed:
            raise InvalidInput(
                "storeText",
                "storeText needs the workspace setting store_document_text: true; else only excerpts are stored",
            )
        return allowed if wish is None else wish
