"""The adapter of a language model over real HTTP: its requests, and its errors as the port's one error."""

import asyncio
import json
import socket
from contextlib import ExitStack

import pytest
from pydantic import BaseModel, SecretStr, ValidationError

from app.adapters.language_model import ChatEndpoint, ChatLanguageModel
from app.bootstrap.runtime import open_runtime
from app.settings import LanguageModelSettings, Settings
from graph.core.ports import LanguageModelFailed, LanguageModelUnavailable
from graph.memories.models import MemoryDraft
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.listeners import JSON
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

BROKEN = (500, JSON, b'{"error": {"message": "the key sk-secret failed on: the prompt"}}')
REFUSED = (401, JSON, b'{"error": "sk-secret"}')
SILENCE = "silence"
HTML = (200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
LONG = " ".join(f"Detail {number} of the plan." for number in range(40))


def _created(at: int | str) -> bytes:
    choice = '{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "a reply"}}'
    return f'{{"id": "c", "object": "chat.completion", "created": {at}, "model": "m", "choices": [{choice}]}}'.encode()


class Fact(BaseModel):
    """A fact that somebody stated."""

    subject: str
    year: int


@pytest.fixture
async def model_at(chat_server):
    """Yield a function that opens a model at the local server."""
    opened = []

    def at(**settings) -> ChatLanguageModel:
        endpoint = ChatEndpoint(
            **{"url": chat_server.url, "model": "a-model", "api_key": "sk-secret", "attempts": 1} | settings
        )
        opened.append(ChatLanguageModel(endpoint))
        return opened[-1]

    yield at
    for model in opened:
        await model.close()


async def test_system_and_prompt_are_separate_and_the_key_is_a_bearer_token(chat_server, model_at):
    assert await model_at().complete("Be brief.", "Say hello.") == "a reply"

    ((path, headers, body),) = chat_server.requests
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer sk-secret"
    assert body["model"] == "a-model"
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Say hello."},
    ]


async def test_settings_of_other_programs_are_ignored(chat_server, model_at, monkeypatch):
    """I16: the endpoint may belong to a workspace, so it must not receive the operator's credentials."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, f"{name} of somebody else")
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "X-Gateway: OPENAI of somebody else\nAuthorization: OPENAI of somebody else"
    )

    await model_at(api_key=None).complete("s", "p")
    await model_at().complete("s", "p")

    (_, without_key, _), (_, with_key, _) = chat_server.requests
    assert (without_key["authorization"], with_key["authorization"]) == ("Bearer none", "Bearer sk-secret")
    assert "of somebody else" not in f"{without_key}{with_key}"


@pytest.mark.parametrize("typed_output", ["tool", "json_schema", "prompt"])
async def test_a_typed_answer_has_the_requested_type(chat_server, model_at, typed_output):
    chat_server.replies = ['{"subject": "Ada", "year": 1843}']

    fact = await model_at(typed_output=typed_output).complete_as("Extract.", "Ada, 1843", Fact)

    assert fact == Fact(subject="Ada", year=1843)
    ((_, _, body),) = chat_server.requests
    asked = {"tool": "tools", "json_schema": "response_format", "prompt": "messages"}[typed_output]
    assert all(
        word in json.dumps(body[asked]) for word in ("A fact that somebody stated.", "subject", "year")
    )


async def test_an_answer_of_the_wrong_type_is_retried_once(chat_server, model_at):
    chat_server.replies = ['{"subject": "Ada"}', '{"subject": "Ada", "year": 1843}']
    assert (await model_at().complete_as("Extract.", "Ada, 1843", Fact)).year == 1843

    chat_server.replies = ['{"subject": "Ada"}']
    with pytest.raises(LanguageModelFailed, match="cannot be used"):
        await model_at().complete_as("Extract.", "Ada, 1843", Fact)
    assert len(chat_server.requests) == 4


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (BROKEN, "answered with status 500"),
        (REFUSED, "answered with status 401"),
        (HTML, "something that cannot be used"),
        ((200, JSON, b"{not json"), "did not answer with JSON"),
        ((200, JSON, b'{"choices": []}'), "something that cannot be used"),
        ((200, JSON, b"[]"), "something that cannot be used"),
        ((200, JSON, b'{"choices": {"0": 1}}'), "something that cannot be used"),
        ((200, JSON, b'{"choices": ["x"]}'), "something that cannot be used"),
        ((200, JSON, _created(10**18)), "something that cannot be used"),
        ((200, JSON, _created("1e400")), "something that cannot be used"),
        ((200, JSON, b"[" * 100_000), "did not answer with JSON|something that cannot be used"),
        (SILENCE, r"did not answer within [\d.]+ seconds"),
    ],
    ids=[
        *("500", "401", "html", "no json", "no choice", "a list", "choices no list", "choice no object"),
        *("created too late", "created infinite", "too deep", "silence"),
    ],
)
async def test_an_invalid_answer_fails_without_being_quoted(chat_server, model_at, fault, message):
    model = model_at(timeout_seconds=scaled_timeout(1 if fault == SILENCE else 30))
    for ask in (model.complete("s", "the prompt"), model.complete_as("s", "the prompt", Fact)):
        chat_server.faults = [chat_server.over if fault == SILENCE else fault]
        with pytest.raises(LanguageModelFailed, match=message) as failure:
            await ask
        assert "sk-secret" not in str(failure.value)
        assert "the prompt" not in str(failure.value)


@pytest.mark.parametrize("reply", ["", " \n"])
async def test_an_empty_answer_fails(chat_server, model_at, reply):
    chat_server.replies = [reply]

    with pytest.raises(LanguageModelFailed):
        await model_at().complete("s", "p")


async def test_an_answer_that_cannot_be_stored_fails(chat_server, model_at):
    for reply in ("half \ud800 a character", "a NUL \x00"):
        chat_server.replies = [reply]
        with pytest.raises(LanguageModelFailed):
            await model_at().complete("s", "p")
        chat_server.replies = ['{"subject": "' + reply.replace("\x00", "") + '", "year": "none"}']
        with pytest.raises(LanguageModelFailed):
            await model_at().complete_as("s", "p", Fact)


@pytest.mark.parametrize(
    ("key", "prompt"),
    [("sk-secret\u200b", "p"), ("sk-secret", "half \ud800 a character")],
    ids=["key", "prompt"],
)
async def test_a_text_that_cannot_be_sent_fails(model_at, key, prompt):
    with pytest.raises(LanguageModelFailed, match="no encoding") as failure:
        await model_at(api_key=key).complete("s", prompt)
    assert "sk-secret" not in str(failure.value)


async def test_a_cancelled_answer_stays_cancelled(chat_server, model_at):
    chat_server.faults = [chat_server.over]
    asking = asyncio.create_task(model_at().complete("s", "p"))

    async def is_asked() -> bool:
        return bool(chat_server.requests)

    await until(is_asked)
    asking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_nobody_at_the_address(model_at):
    with pytest.raises(LanguageModelUnavailable, match="cannot be reached"):
        await model_at(url="http://127.0.0.1:9/v1").complete("s", "p")


async def test_a_refused_connection_counts_as_unreachable(model_at):
    """B15: the text is not to blame, unlike after a timeout."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as stack:
        port = full.getsockname()[1]
        for _ in range(3):  # the system queues some connections in spite of the backlog
            waiting = stack.enter_context(socket.socket())
            waiting.settimeout(0)
            waiting.connect_ex(("127.0.0.1", port))
        with pytest.raises(LanguageModelUnavailable, match="cannot be reached"):
            await model_at(url=f"http://127.0.0.1:{port}/v1").complete("s", "p")


@pytest.mark.parametrize("status", [401, 403, 404, 429, 502, 503, 504])
async def test_a_failing_model_is_distinguished_from_one_that_refuses_a_text(chat_server, model_at, status):
    """B15: the service also waits if the key is unknown or the model is not loaded."""
    chat_server.faults = [(status, JSON, b"{}"), (400, JSON, b"{}")]
    model = model_at()

    with pytest.raises(LanguageModelUnavailable, match=f"status {status}"):
        await model.complete("s", "p")
    with pytest.raises(LanguageModelFailed, match="status 400") as refused:
        await model.complete("s", "p")

    assert not isinstance(refused.value, LanguageModelUnavailable)


async def test_a_timeout_may_be_caused_by_the_text(chat_server, model_at):
    chat_server.faults = [chat_server.over]

    with pytest.raises(LanguageModelFailed, match="did not answer") as late:
        await model_at(timeout_seconds=scaled_timeout(1)).complete("s", "p")

    assert not isinstance(late.value, LanguageModelUnavailable)


async def test_a_failing_server_is_called_again(chat_server, model_at):
    chat_server.faults = [BROKEN]

    assert await model_at(attempts=2).complete("s", "p") == "a reply"
    assert len(chat_server.requests) == 2


async def test_the_engine_shortens_long_memories_with_the_model_of_the_settings(
    chat_server, settings, workspace_id
):
    """A4, A5, D40: URL, key and model are enough; if the model fails, the memory keeps its full text."""
    llm = LanguageModelSettings(url=chat_server.url, model="a-model", key=SecretStr("sk-secret"))
    chat_server.replies = ["The plan has forty details."]

    async with open_runtime(settings.model_copy(update={"llm": llm}), embedder=HashingEmbedder()) as runtime:
        memories = runtime.services.memories.store
        saved = await memories.save(workspace_id, MemoryDraft(content=LONG))
        assert (saved.memory.content, saved.original_length) == ("The plan has forty details.", len(LONG))

        chat_server.faults = [HTML]
        kept = await memories.save(workspace_id, MemoryDraft(content=f"{LONG} And one more."))
        assert (kept.memory.content, kept.summarized) == (f"{LONG} And one more.", False)
        assert kept.warnings[-1] == "content was not shortened: the model failed"


@pytest.mark.parametrize(
    "given", [{"url": "http://localhost/v1"}, {"model": "m"}, {"url": "ftp://x", "model": "m"}]
)
def test_incomplete_model_settings_are_refused(given):
    with pytest.raises(ValidationError):
        Settings(_env_file=None, llm=given)
