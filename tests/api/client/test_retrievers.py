"""Retrievers of LangChain and LlamaIndex over the running service, with LangChain's standard tests."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests
from llama_index.core.schema import MetadataMode
from pydantic import SecretStr

from app.client.generated import (
    CreateApiKeyInput,
    CreateWorkspaceInput,
    MemoryState,
    RecallInput,
    RecollectClient,
    SaveMemoryInput,
    Scope,
)
from app.client.langchain_retriever import RecollectRetriever as LangChainRetriever
from app.client.llama_index_retriever import RecollectRetriever as LlamaIndexRetriever
from app.client.shared import SharedClient
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.waiting import until

TEXTS = [
    "we indent with tabs",
    "tests run in parallel",
    "releases happen on Tuesdays",
    "indentation is checked by a linter",
]


@pytest.fixture(scope="module")
def key(url_apart) -> Iterator[str]:
    """Create a key of a workspace with four memories, at a service that answers while the test blocks."""

    async def fill(admin: RecollectClient) -> str:
        workspace = await admin.create_workspace(CreateWorkspaceInput(name=f"retrievers {uuid4()}"))
        made = await admin.create_api_key(
            CreateApiKeyInput(name="retriever", scopes=[Scope.READ], workspace_id=workspace.id)
        )
        await admin.save_memories(
            [SaveMemoryInput(content=text, tags=["rule"], key=f"rule-{n}") for n, text in enumerate(TEXTS)],
            workspace_id=workspace.id,
        )

        async def are_embedded() -> bool:
            found = (await admin.memories(workspace_id=workspace.id)).edges
            return all(edge.node.state is not MemoryState.STORED for edge in found)

        await until(are_embedded)
        return made.secret

    with SharedClient(url_apart, ADMIN_KEY) as admin:
        yield admin.run(fill)


class TestLangChainsStandardTests(RetrieversIntegrationTests):
    """LangChain's requirements on every retriever."""

    @pytest.fixture(autouse=True)
    def _service(self, url_apart, key) -> None:
        self.params = {"base_url": url_apart, "api_key": SecretStr(key), "k": 2}

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return LangChainRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return self.params

    @property
    def retriever_query_example(self) -> str:
        return "indent with tabs"


async def test_langchain_documents_have_the_memorys_fields_and_reasons(url_apart, key) -> None:
    retriever = LangChainRetriever(base_url=url_apart, api_key=SecretStr(key), k=3)

    documents = await retriever.ainvoke("indent with tabs")

    best = documents[0]
    assert (best.page_content, best.id, best.metadata["key"]) == (TEXTS[0], best.metadata["id"], "rule-0")
    assert best.metadata["tags"] == ["rule"]
    assert best.metadata["why"]
    scores = [document.metadata["score"] for document in documents]
    assert scores == sorted(scores, reverse=True)
    assert [document.id for document in retriever.invoke("indent with tabs")] == [
        document.id for document in documents
    ]
    retriever.close()


def test_further_filters_narrow_the_recall(url_apart, key) -> None:
    asked = RecallInput(tags=["nothing-has-this"])

    assert LangChainRetriever(base_url=url_apart, api_key=SecretStr(key), recall=asked).invoke("tabs") == []
    assert LlamaIndexRetriever(url_apart, key, recall=asked).retrieve("tabs") == []


async def test_llamaindex_retrieves_nodes_with_scores_both_ways(url_apart, key) -> None:
    retriever = LlamaIndexRetriever(url_apart, key, similarity_top_k=2)

    nodes = retriever.retrieve("indent with tabs")
    later = await retriever.aretrieve("indent with tabs")

    assert [node.node_id for node in nodes] == [node.node_id for node in later]
    assert len(nodes) == 2
    assert nodes[0].text == TEXTS[0]
    assert nodes[0].score is not None
    assert nodes[0].score >= (nodes[1].score or 0) > 0
    assert nodes[0].metadata["key"] == "rule-0"
    assert nodes[0].node.get_content(MetadataMode.EMBED) == TEXTS[0]
    assert "why" not in nodes[0].node.get_content(MetadataMode.LLM)
    retriever.close()


@pytest.mark.parametrize("k", [0, 101])
def test_an_invalid_number_of_documents_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="k"):
        LangChainRetriever(base_url="http://127.0.0.1:1", api_key=SecretStr("rk"), k=k)
