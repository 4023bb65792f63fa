"""A workspace's own language model instead of the deployment's, and its secret key (issue 16, point 4)."""

import json
from contextlib import AsyncExitStack

import pytest

from app.adapters.secrets import AesSealing
from app.bootstrap.dependencies import opener as opener_of
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.models import AuditAction
from graph.tenancy.language_models import STORED_KEY, WorkspaceModels
from graph.tenancy.models import ModelEndpoint, OwnModel, Unsealable
from tests.fixtures.graphs import run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.memories import MovingClock, ScriptedModel

URL = "https://llm.example/v1"
KEY = "sk-provider-0123456789"
DEPLOYMENTS = ScriptedModel("the deployment's")


class Opener:
    """Opens scripted models by name and records the endpoints."""

    def __init__(self) -> None:
        self.opened: list[ModelEndpoint] = []

    async def __call__(self, endpoint: ModelEndpoint) -> ScriptedModel:
        self.opened.append(endpoint)
        return ScriptedModel("own", name=endpoint.model)


@pytest.fixture
def opener() -> Opener:
    return Opener()


@pytest.fixture
def models_with(services, opener):
    """Return a function that builds the service of a process with a sealing key; None: without one."""

    def models_with(sealing_key: str | None = "k" * 32) -> WorkspaceModels:
        return WorkspaceModels(
            services.core.database,
            MovingClock(),
            default=DEPLOYMENTS,
            open_model=opener,
            sealing=AesSealing(sealing_key) if sealing_key else None,
        )

    return models_with


async def test_a_workspace_uses_its_own_model_and_others_the_deployments(
    models_with, opener, workspace_id, other_workspace_id
) -> None:
    """I1: until the workspace removes it; another process reads the choice."""
    models = models_with()
    assert await models.of(workspace_id) is DEPLOYMENTS

    shown = await models.choose(workspace_id, url=f"{URL}/", model="small", key=KEY)

    assert shown == OwnModel(url=URL, model="small", has_key=True)
    assert await models.find(workspace_id) == shown
    assert (await models.of(workspace_id)).name == "small"
    assert (await models_with().of(workspace_id)).name == "small"
    assert await models.of(other_workspace_id) is DEPLOYMENTS
    assert opener.opened == [ModelEndpoint(url=URL, model="small", key=KEY)] * 2
    assert await models.remove(workspace_id) is True
    assert await models.remove(workspace_id) is False
    assert await models.of(workspace_id) is DEPLOYMENTS


async def test_the_stored_key_cannot_be_read_without_the_sealing_key(
    models_with, workspace_id, other_workspace_id, graph_driver
) -> None:
    """Another workspace cannot reuse it; with another sealing key, no request is sent."""
    await models_with().choose(workspace_id, url=URL, model="small", key=KEY)
    (record,) = (
        await run(
            graph_driver, "MATCH (w:Workspace {id: $ws}) RETURN properties(w) AS properties", ws=workspace_id
        )
    ).records
    sealed = record["properties"]["llm_sealed_key"]

    assert KEY not in json.dumps(record["properties"], default=str)
    assert await models_with("x" * 32).of(workspace_id) is None
    assert await models_with(None).of(workspace_id) is None
    with pytest.raises(Unsealable):
        AesSealing("k" * 32).unseal(sealed, purpose=f"language model of {other_workspace_id} at {URL}")
    with pytest.raises(Unsealable):
        AesSealing("k" * 32).unseal(
            sealed[:-8] + "AAAAAAA=", purpose=f"language model of {workspace_id} at {URL}"
        )
    assert AesSealing("k" * 32).unseal(sealed, purpose=f"language model of {workspace_id} at {URL}") == KEY


async def test_a_key_is_not_sent_to_an_address_that_was_changed_in_the_store(
    models_with, opener, workspace_id, graph_driver
) -> None:
    await models_with().choose(workspace_id, url=URL, model="small", key=KEY)
    opener.opened.clear()

    await run(
        graph_driver,
        "MATCH (w:Workspace {id: $ws}) SET w.llm_url = 'https://elsewhere.example'",
        ws=workspace_id,
    )

    assert await models_with().of(workspace_id) is None
    assert opener.opened == []


async def test_a_key_stays_with_its_address(models_with, opener, workspace_id) -> None:
    """A stored key is never sent to another URL."""
    models = models_with()
    await models.choose(workspace_id, url=URL, model="small", key=KEY)

    kept = await models.choose(workspace_id, url=URL, model="large", key=STORED_KEY)
    moved = await models.choose(
        workspace_id, url="https://elsewhere.example/v1", model="large", key=STORED_KEY
    )
    cleared = await models.choose(workspace_id, url=URL, model="large", key=None)

    assert (kept.has_key, moved.has_key, cleared.has_key) == (True, False, False)
    assert [endpoint.key for endpoint in opener.opened] == [KEY, KEY, None, None]


async def test_a_stored_key_that_cannot_be_decrypted_must_be_entered_again(models_with, workspace_id) -> None:
    """Until then, nothing changes."""
    await models_with().choose(workspace_id, url=URL, model="small", key=KEY)

    for other in (models_with("x" * 32), models_with(None)):
        with pytest.raises(Conflict, match="cannot be read") as refused:
            await other.choose(workspace_id, url=URL, model="large", key=STORED_KEY)
        assert refused.value.field == "key"
    assert (await models_with().find(workspace_id)).model == "small"
    again = await models_with("x" * 32).choose(workspace_id, url=URL, model="large", key=KEY)
    assert again == OwnModel(url=URL, model="large", has_key=True)


async def test_without_a_sealing_key_no_key_is_stored(models_with, workspace_id) -> None:
    """A model without a key can still be chosen."""
    models = models_with(None)

    with pytest.raises(Conflict, match="RECOLLECT_LLM_SEALING_KEY"):
        await models.choose(workspace_id, url=URL, model="small", key=KEY)
    assert await models.find(workspace_id) is None
    assert (
        await models.choose(workspace_id, url="http://127.0.0.1:11434/v1", model="small")
    ).has_key is False


@pytest.mark.parametrize(
    ("url", "model", "field"),
    [
        ("ftp://llm.example", "m", "url"),
        ("llm.example/v1", "m", "url"),
        ("https://user:word@llm.example/v1", "m", "url"),
        ("https://llm.example/v1?key=x", "m", "url"),
        ("https://", "m", "url"),
        ("https://[", "m", "url"),
        ("http://host:abc/v1", "m", "url"),
        ("http://host:99999/v1", "m", "url"),
        (URL, " ", "model"),
        (URL, "m" * 513, "model"),
    ],
)
async def test_an_invalid_model_is_refused(models_with, workspace_id, url, model, field) -> None:
    with pytest.raises(InvalidInput) as refused:
        await models_with().choose(workspace_id, url=url, model=model)

    assert refused.value.field == field


@pytest.mark.parametrize("key", [f"{KEY}\u200b", f"{KEY}é", f"{KEY}\n{KEY}"])
async def test_a_key_invalid_in_http_headers_is_refused(models_with, workspace_id, key) -> None:
    with pytest.raises(InvalidInput, match="characters that are not allowed in a key") as refused:
        await models_with().choose(workspace_id, url=URL, model="small", key=key)

    assert refused.value.field == "key"


async def test_an_invalid_address_is_refused_with_its_field(settings, workspace_id) -> None:
    """HTTP clients accept fewer URLs than the format allows."""
    async with AsyncExitStack() as stack:
        with pytest.raises(InvalidInput) as refused:
            await opener_of(settings.llm, stack)(ModelEndpoint(url="http://ho\x07st/v1", model="m", key=None))

    assert refused.value.field == "url"


async def test_a_key_entered_during_another_change_stays(models_with, workspace_id, graph_driver) -> None:
    """A change of the model alone must not write back the key that it read before."""
    models = models_with()
    await models.choose(workspace_id, url=URL, model="small", key=KEY)
    entered = (
        "CYPHER 25 MATCH (workspace:Workspace {id: $ws}) SET workspace.llm_sealed_key = 'entered meanwhile'"
    )
    stored = (
        "CYPHER 25 MATCH (workspace:Workspace {id: $ws}) RETURN workspace.llm_model, workspace.llm_sealed_key"
    )

    await overtaken_by(
        graph_driver,
        entered,
        models.choose(workspace_id, url=URL, model="large", key=STORED_KEY),
        ws=workspace_id,
    )

    (row,) = (await run(graph_driver, stored, ws=workspace_id)).records
    assert row.values() == ["large", "entered meanwhile"]


async def test_changes_of_the_model_are_audited(models_with, workspace_id, audit_of) -> None:
    """Without URL and key; an unknown workspace leaves no entry."""
    models = models_with()
    await models.choose(workspace_id, url=URL, model="small", key=KEY)
    await models.remove(workspace_id)

    acts = [
        each for each in await audit_of(workspace_id) if each.action is AuditAction.LANGUAGE_MODEL_CHANGED
    ]
    assert [(each.subject_id, each.count) for each in acts] == [(None, 1), (None, 1)]
    with pytest.raises(NotFound):
        await models.choose("ws_none", url=URL, model="small")


async def test_a_workspaces_own_model_writes_its_texts(services, capturing_workspace_id, chat_server) -> None:
    """F11: even if the deployment has no model."""
    draft = CaptureDraft(
        conversation_id="c", messages=[MessageDraft(content="I moved to Oslo.", role="user")]
    )
    await services.conversations.capture.append(capturing_workspace_id, draft)
    chat_server.replies = ["not what was asked for"]
    await services.tenancy.language_models.choose(
        capturing_workspace_id, url=chat_server.url, model="own-model"
    )

    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert {body["model"] for _, _, body in chat_server.requests} == {"own-model"}
    assert made.fallback == "put together from what was said: the language model failed"
