"""Answers to questions for a procedure from documents."""

from functools import partial

import pytest

from graph.knowledge.documents.models import DocumentDraft
from graph.retrieval.answering.service import Answering
from graph.retrieval.answering.writing import NOTHING
from tests.fixtures.memories import MovingClock, SameModel

RUNBOOK = """# Runbook: parcel-api

## Roll back

1. Open the deploy page.
2. Choose the previous release and press Revert.
3. Watch the error rate for ten minutes.

## Restart

Drain the queue first. Run `kubectl rollout restart deploy/parcel-api`. Then watch the queue.

## Rotate the API key

1. Create a new key in the vault.
2. Update the secret.
3. Delete the old key.

## Move the database

"""
MOVE = [
    f"{number}. Move shard {number} with `shardctl move {number}` and compare both copies."
    for number in range(1, 25)
]
CHINESE = """# 客服手册

## 退款

1. 打开订单页面。
2. 点击退款按钮。
3. 等待财务确认。

## 换货

1. 联系仓库。
2. 寄出商品。
"""
ANSWERS = {
    "How do I roll back parcel-api?": "Runbook: parcel-api › Roll back: 1. Open the deploy page. "
    "2. Choose the previous release and press Revert. 3. Watch the error rate for ten minutes. [1]",
    "How do I restart parcel-api?": "Runbook: parcel-api › Restart: Drain the queue first. "
    "Run `kubectl rollout restart deploy/parcel-api`. Then watch the queue. [1]",
    "What is the procedure for rotating the API key?": "Runbook: parcel-api › Rotate the API key: "
    "1. Create a new key in the vault. 2. Update the secret. 3. Delete the old key. [1]",
    "What are the steps to move the database?": f"Runbook: parcel-api › Move the database: {' '.join(MOVE)} [1]",
    "怎么退款？": "客服手册 › 退款：1. 打开订单页面。 2. 点击退款按钮。 3. 等待财务确认。 [1]",
    "How do I delete parcel-api?": NOTHING,
    "怎么取消换货？": NOTHING,
}


@pytest.fixture
async def ask(services, workspace_id):
    """Return a function that answers a question in the workspace without a language model."""
    answering = Answering(
        services.core.database,
        services.vectors.embeddings,
        services.retrieval.recall,
        services.retrieval.search,
        services.retrieval.entities,
        services.knowledge.ontology,
        MovingClock(),
        language_models=SameModel(None),
    )

    return partial(answering.ask, workspace_id)


@pytest.fixture
def add(services, workspace_id):
    """Return a function that adds both documents, with or without their text."""

    async def add_(media_type: str | None, *, stores_text: bool) -> None:
        await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": stores_text})
        for key, content in (("parcel", RUNBOOK + "\n".join(MOVE)), ("service", CHINESE)):
            draft = DocumentDraft(key=key, media_type=media_type, content=content)
            await services.knowledge.documents.add(workspace_id, draft)

    return add_


@pytest.mark.parametrize("media_type", ["text/markdown", "text/plain"])
async def test_a_procedure_is_answered_with_all_steps_of_its_section(ask, add, media_type) -> None:
    """Issue 36, point 3: in order, even across chunks, and without steps of another section."""
    await add(media_type, stores_text=True)

    assert {question: (await ask(question)).text for question in ANSWERS} == ANSWERS


@pytest.mark.parametrize("media_type", ["text/markdown", "text/plain"])
async def test_an_excerpt_does_not_answer_with_some_of_the_steps(ask, add, media_type) -> None:
    """Issue 36, point 3: whole steps or none, with the reason."""
    await add(media_type, stores_text=False)

    answers = [await ask(question) for question in ANSWERS]

    assert {answer.text for answer in answers} == {NOTHING}
    assert {"store_document_text" in " ".join(answer.degraded) for answer in answers} == {True}
