"""LlamaIndex's ``BaseRetriever`` over Recollect; needs the extra ``llamaindex``."""

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from .generated import RecallInput
from .recalling import Found, recalled
from .shared import SharedClient


class RecollectRetriever(BaseRetriever):
    """Recalls memories as nodes, best first; safe for concurrent use, lives until it is closed.

    ``node_id`` is the memory's id; metadata is that of ``recalling.recalled``, of which models see ``tags``, ``type``
    and ``timestamp`` only.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        workspace_id: str | None = None,
        similarity_top_k: int = 5,
        recall: RecallInput | None = None,
        **options: Any,
    ) -> None:
        """Make a retriever.

        Args:
            base_url: Address of the service, such as ``http://127.0.0.1:8000``.
            api_key: A key that may read.
            workspace_id: Workspace to search; default: the key's.
            similarity_top_k: Maximum number of nodes, 1 to 100.
            recall: Further parameters: tags, types, times, minimum score; query and limit come from the call.
            options: As for LlamaIndex's ``BaseRetriever``.
        """
        super().__init__(**options)
        self.similarity_top_k = similarity_top_k
        self._recall = recall or RecallInput()
        self._workspace_id = workspace_id
        self._client = SharedClient(base_url, api_key)

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        self._client.close()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        request = self._request(query_bundle)
        return _nodes(self._client.run(lambda client: recalled(client, request, self._workspace_id)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        request = self._request(query_bundle)
        return _nodes(await self._client.arun(lambda client: recalled(client, request, self._workspace_id)))

    def _request(self, query_bundle: QueryBundle) -> RecallInput:
        return self._recall.model_copy(
            update={"query": query_bundle.query_str, "limit": self.similarity_top_k}
        )


_SHOWN = frozenset({"tags", "type", "timestamp"})


def _nodes(found: Sequence[Found]) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(
                id_=one.id,
                text=one.text,
                metadata=one.metadata,
                excluded_llm_metadata_keys=sorted(one.metadata.keys() - _SHOWN),
                excluded_embed_metadata_keys=sorted(one.metadata),
            ),
            score=one.score,
        )
        for one in found
    ]
