"""LangChain's ``BaseRetriever`` over Recollect; needs the extra ``langchain``."""

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, PrivateAttr, SecretStr

from .generated import RecallInput
from .recalling import Found, recalled
from .shared import SharedClient


class RecollectRetriever(BaseRetriever):
    """Recalls memories as documents, best first; safe for concurrent use, lives until it is closed.

    ``id`` of a document is the memory's; its metadata has ``score``, ``why``, ``key``, ``tags`` and the other fields
    from ``recalling.recalled``.
    """

    base_url: str
    """Address of the service, such as ``http://127.0.0.1:8000``."""
    api_key: SecretStr
    """A key that may read."""
    workspace_id: str | None = None
    """Workspace to search; default: the key's."""
    k: int = Field(default=5, ge=1, le=100)
    """Maximum number of documents."""
    recall: RecallInput = Field(default_factory=RecallInput)
    """Further parameters: tags, types, times, minimum score; query and limit come from the call."""
    _client: SharedClient = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Open the connection."""
        super().model_post_init(context)
        self._client = SharedClient(self.base_url, self.api_key.get_secret_value())

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        self._client.close()

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain passes it by name
        k: int | None = None,
    ) -> list[Document]:
        return _documents(
            self._client.run(lambda client: recalled(client, self._request(query, k), self.workspace_id))
        )

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain passes it by name
        k: int | None = None,
    ) -> list[Document]:
        return _documents(
            await self._client.arun(
                lambda client: recalled(client, self._request(query, k), self.workspace_id)
            )
        )

    def _request(self, query: str, k: int | None) -> RecallInput:
        return self.recall.model_copy(update={"query": query, "limit": k or self.k})


def _documents(found: Sequence[Found]) -> list[Document]:
    return [
        Document(id=one.id, page_content=one.text, metadata={**one.metadata, "score": one.score})
        for one in found
    ]
