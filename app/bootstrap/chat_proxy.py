"""Builds the chat proxy over the services, where an upstream is configured."""

from contextlib import AsyncExitStack

from app.adapters.clock import SystemClock
from app.settings import Settings
from app.surfaces.proxy.capturing import ANSWER_CHARS, TurnCapture
from app.surfaces.proxy.composing import Composer, ComposingRules
from app.surfaces.proxy.feeding import OutputFeed
from app.surfaces.proxy.owed import OwedResults
from app.surfaces.proxy.saved_meanwhile import SavedMeanwhile
from app.surfaces.proxy.service import ChatProxy
from app.surfaces.proxy.tools import Tools
from app.surfaces.proxy.upstream import Upstream, UpstreamEndpoint
from app.surfaces.rest.memory_pages import MemoryObject
from graph.core.measuring import UNMEASURED, Measurements
from graph.operations.services import Services
from graph.retrieval.context.models import InjectionFormat


def open_chat_proxy(
    settings: Settings, services: Services, stack: AsyncExitStack, measurements: Measurements = UNMEASURED
) -> ChatProxy | None:
    """Return the proxy, to be closed by the stack; None where it has no upstream."""
    proxy = settings.proxy
    if proxy.url is None:
        return None
    endpoint = UpstreamEndpoint(
        url=proxy.url,
        key=proxy.key.get_secret_value() if proxy.key else None,
        connect_seconds=proxy.connect_seconds,
        silent_seconds=proxy.timeout_seconds,
    )
    upstream = Upstream(endpoint)
    stack.push_async_callback(upstream.close)
    capture = TurnCapture(
        services.conversations.capture,
        most_waiting=proxy.waiting_turns,
        most_chars=settings.memory.max_turn_chars,
    )
    capture.start()
    stack.push_async_callback(capture.close)
    feed = OutputFeed(
        services.conversations.distillation,
        measurements,
        most_waiting=proxy.waiting_turns,
        most_chars=ANSWER_CHARS,
    )
    feed.start()
    stack.push_async_callback(feed.close)
    rules = ComposingRules(
        provider=proxy.provider,
        format=InjectionFormat(proxy.injection_format),
        offers_tools=proxy.tools,
        deadline_seconds=proxy.deadline_ms / 1000,
    )
    return ChatProxy(
        upstream,
        Composer(services.retrieval.context, services.tenancy.workspaces, services.operations.status, rules),
        Tools(services, feed),
        OwedResults(services.core.working_set),
        capture,
        feed,
        services.core.body_work,
        SystemClock(),
        SavedMeanwhile(
            services.memories.subscriptions.of_memories,
            lambda saved: MemoryObject.of(saved).model_dump_json(),
        ),
        most_rounds=proxy.tool_rounds,
        measurements=measurements,
    )
