"""Every route with every wrong credential: only an error is returned. An unclassified route fails."""

import re
from datetime import datetime, timedelta

import pytest

from app.bootstrap.runtime import SystemClock
from app.main import create_app
from app.surfaces.http.credentials import CREDENTIAL, Credential
from graph.tenancy.keys import Keys
from graph.tenancy.models import Scope

ROUTES: dict[Credential, str] = {
    Credential.KEY: """\
/mcp
DELETE /v1/conversations/{conversation_id:str}
DELETE /v1/conversations/{conversation_id:str}/episodes/{episode_id:str}
DELETE /v1/workspaces/{workspace_id:str}/language-model
DELETE /v1/workspaces/{workspace_id:str}/memories/{memory_id:str}
GET /v1/models
GET /v1/models/{model_id:path}
GET /v1/profile
GET /v1/workspaces/{workspace_id:str}/archive
GET /v1/workspaces/{workspace_id:str}/language-model
GET /v1/workspaces/{workspace_id:str}/memories
GET /v1/workspaces/{workspace_id:str}/settings
PATCH /v1/workspaces/{workspace_id:str}/memories/{memory_id:str}
POST /v1/conversations/{conversation_id:str}/extract
POST /v1/conversations/{conversation_id:str}/handoff-summary
POST /v1/conversations/{conversation_id:str}/messages
POST /v1/embeddings
POST /v1/inject
POST /v1/workspaces/{workspace_id:str}/archive
POST /v1/workspaces/{workspace_id:str}/memories
POST /v1/workspaces/{workspace_id:str}/memory/disable
POST /v1/workspaces/{workspace_id:str}/memory/enable
PUT /v1/workspaces/{workspace_id:str}/language-model
PUT /v1/workspaces/{workspace_id:str}/settings""",
    Credential.KEY_OR_SESSION: """\
/graphql
DELETE /api/memory/{memory_id:str}
GET /api/memory
GET /api/memory/embedding-providers
GET /api/memory/engine-status
GET /api/memory/health
GET /api/memory/{memory_id:str}
GET /graphql
POST /api/memory
POST /api/memory/reindex
POST /api/memory/retrieve-preview
POST /api/memory/summarize
POST /api/settings/qdrant/cleanup
POST /api/settings/qdrant/search
POST /graphql
PUT /api/memory/{memory_id:str}""",
    Credential.KEY_OR_QUERY: """\
DELETE /memory/by-tag
DELETE /memory/{memory_id:str}
GET /memory/by-tag
GET /memory/{memory_id:str}
GET /recall
PATCH /memory/{memory_id:str}
POST /associate
POST /memory
POST /memory/batch""",
    Credential.REMEMBERED_KEY: """\
POST /v1/responses""",
    Credential.REMEMBERED_KEY_OR_SESSION: """\
POST /v1/chat/completions""",
    Credential.MANAGEMENT: """\
GET /api/settings/memory
GET /api/settings/qdrant
GET /api/settings/qdrant/embedding-models
GET /api/settings/qdrant/health
PUT /api/settings/memory
PUT /api/settings/qdrant""",
    Credential.SESSION: """\
DELETE /chat/api/workspaces/{workspace_id:str}/memories/{memory_id:str}
DELETE /chat/api/{chat_id:str}/memories/{memory_id:str}
GET /chat/api/chats
GET /chat/api/events
GET /chat/api/workspace
GET /chat/api/workspaces/{workspace_id:str}/memories
GET /chat/api/workspaces/{workspace_id:str}/memories/count
GET /chat/api/{chat_id:str}/memories
PATCH /chat/api/workspaces/{workspace_id:str}/memories/{memory_id:str}
PATCH /chat/api/{chat_id:str}/memories/{memory_id:str}
POST /chat/api/workspaces/{workspace_id:str}/memories
POST /chat/api/{chat_id:str}/memories/{memory_id:str}/rerun-extraction
POST /chat/api/{chat_id:str}/memory
POST /chat/api/{chat_id:str}/outputs
PUT /chat/api/{chat_id:str}/workspace""",
    Credential.NONE: """\
GET /
GET /docs
GET /health
GET /openapi.json
GET /pages/{name:str}
GET /ready
GET /sign-in
GET /dashboard/memory
GET /dashboard/settings
GET /studio
GET /studio/assets/{name:str}
GET /studio/{page:path}
POST /sign-in
POST /sign-out""",
}
PAGE = "<!doctype html>"
_OPENAI = (Credential.REMEMBERED_KEY, Credential.REMEMBERED_KEY_OR_SESSION)
WRONG_KEYS = [
    "nothing",
    "a key of nobody's",
    "an expired key",
    "a revoked key",
    "a session",
    "a key in the address",
]
WRONG = {
    Credential.KEY: WRONG_KEYS,
    Credential.REMEMBERED_KEY: WRONG_KEYS,
    Credential.KEY_OR_QUERY: [*WRONG_KEYS[:-1], "a key of nobody's in the address"],
    Credential.REMEMBERED_KEY_OR_SESSION: [
        "nothing",
        *WRONG_KEYS[1:4],
        "a session of nobody's",
        "a key in the address",
    ],
    Credential.KEY_OR_SESSION: ["nothing", *WRONG_KEYS[1:4], "a session of nobody's", "a key in the address"],
    Credential.MANAGEMENT: ["nothing", *WRONG_KEYS[1:4], "a key in the address"],
    Credential.SESSION: ["nothing", "a key", "a session of nobody's", "a key in the address"],
    Credential.NONE: [],
}
CASES = [(credential, wrong) for credential, kinds in WRONG.items() for wrong in kinds]


def classified() -> dict[str, Credential]:
    return {route: credential for credential, routes in ROUTES.items() for route in routes.split("\n")}


def routes_of(app) -> dict[str, Credential]:
    """Return the credential of each route by ``METHOD /path``; a mount or socket has no method."""
    found = {}
    for route in app.routes:
        handlers = getattr(route, "route_handler_map", None) or {"": route.route_handler}
        for method, handler in handlers.items():
            # A browser's preflight has no credential and gets no data.
            if method != "OPTIONS":
                opt = (handler[0] if isinstance(handler, tuple) else handler).opt
                found[f"{method} {route.path}".strip()] = Credential(opt.get(CREDENTIAL, Credential.KEY))
    return found


def test_every_route_is_classified(services) -> None:
    """I8, I9-I12: a new route needs a decision on its credential."""
    assert routes_of(create_app(services)) == classified()


class Yesterday(SystemClock):
    def now(self) -> datetime:
        return super().now() - timedelta(days=1)


@pytest.fixture
async def sent(services, http, workspace_id):
    """Return the credentials of requests by the name of their fault."""
    keys, scopes = services.tenancy.keys, list(Scope)
    _, valid = await keys.create(workspace_id, name="valid", scopes=scopes)
    yesterday = Keys(services.core.database, services.tenancy.access, Yesterday())
    _, expired = await yesterday.create(
        workspace_id, name="expired", scopes=scopes, expires_at=Yesterday().now() + timedelta(hours=1)
    )
    key, revoked = await keys.create(workspace_id, name="revoked", scopes=scopes)
    await keys.revoke(key.id)
    signed_in = await http.post("/sign-in", data={"key": valid})
    session = signed_in.cookies["session"]
    http.cookies.clear()
    return {
        "nothing": {},
        "a key": {"headers": {"Authorization": f"Bearer {valid}"}},
        "a key of nobody's": {"headers": {"Authorization": "Bearer rk_nobody"}},
        "an expired key": {"headers": {"Authorization": f"Bearer {expired}"}},
        "a revoked key": {"headers": {"X-API-Key": revoked}},
        "a session": {"headers": {"Cookie": f"session={session}"}},
        "a session of nobody's": {"headers": {"Cookie": f"session={'x' * 43}"}},
        "a key in the address": {"params": {"api_key": valid}},
        "a key of nobody's in the address": {"params": {"api_key": "rk_nobody"}},
    }


@pytest.mark.parametrize(("credential", "wrong"), CASES)
async def test_a_wrong_credential_gets_nothing_but_its_error(http, sent, credential, wrong) -> None:
    """I9-I12, K18: in the form of the route, for any request."""
    answers = {}
    for route in ROUTES[credential].split("\n"):
        method, _, path = route.rpartition(" ")
        answer = await http.request(method or "POST", re.sub(r"\{\w+:\w+\}", "x", path), **sent[wrong])
        answers[route] = (answer.status_code, _form(answer))

    assert answers == {route: (401, _expected(route, credential)) for route in answers}


def _form(answer) -> object:
    if answer.text.lower().startswith(PAGE):
        return "the page to sign in on" if 'name="key"' in answer.text else "another page"
    body = answer.json()
    error = body["errors"][0] if "errors" in body else body
    return sorted(body), sorted(error)


def _expected(route: str, credential: Credential) -> object:
    if credential is Credential.SESSION:
        return "the page to sign in on"
    if route.endswith("/graphql"):
        return ["data", "errors"], ["extensions", "message"]
    if credential in _OPENAI or " /v1/models" in route or " /v1/embeddings" in route:
        return ["error"], ["error"]  # as OpenAI's clients read it
    if credential is Credential.KEY_OR_QUERY:
        return ["error", "field", "message"], ["error", "field", "message"]  # as AutoMem's client reads it
    return ["error", "field"], ["error", "field"]


async def test_management_is_for_administrators(http, services, workspace_id) -> None:
    """I11: a key that may read and write gets 403, as does its session."""
    _, key = await services.tenancy.keys.create(
        workspace_id, name="program", scopes=[Scope.READ, Scope.WRITE]
    )
    signed_in = await http.post("/sign-in", data={"key": key})
    http.cookies.clear()
    headers = [{"Authorization": f"Bearer {key}"}, {"Cookie": f"session={signed_in.cookies['session']}"}]

    answers = {}
    for route in ROUTES[Credential.MANAGEMENT].split("\n"):
        method, path = route.split(" ")
        for sent in headers:
            answer = await http.request(method, re.sub(r"\{\w+:\w+\}", "x", path), headers=sent)
            answers[route, *sent] = (answer.status_code, answer.json()["error"])

    assert set(answers.values()) == {(403, "this route needs an administrator's key")}
