"""Builds the chat proxy over the services, where an upstream is configured."""

from contextlib import AsyncExitStack

from app.adapters.clock import SystemClock
from app.settings import Settings
from app.surfaces.proxy.capturing import MOST_WAITING, TurnCapture
from app.surfaces.proxy.composing import Composer, ComposingRules
from app.surfaces.proxy.feeding import OUTPUT_CHARS, OutputFeed
from app.surfaces.proxy.owed import OwedResults
from app.surfaces.proxy.saved_meanwhile import SavedMeanwhile
from app.surfaces.proxy.service import MOST_ROUNDS, ChatProxy
from app.surfaces.proxy.tools import Tools
from app.surfaces.proxy.upstream import SILENT_SECONDS, Upstream, UpstreamEndpoint
from app.surfaces.rest.memory_pages import MemoryObject
from graph.core.measuring import UNMEASURED, Measurements
from graph.operations.services import Services
from graph.retrieval.context.models import InjectionFormat


def open_chat_proxy(
    settings: Settings,
    services: Services,
    stack: AsyncExitStack,
    measurements: Measurements = UNMEASURED,
    *,
    silent_seconds: float = SILENT_SECONDS,
    most_rounds: int = MOST_ROUNDS,
) -> ChatProxy | None:
    """Return the proxy, to be closed by the stack; None where it has no upstream.

    Args:
        settings: Upstream and rules of the proxy.
        services: The use cases that it calls.
        stack: Closes the proxy.
        measurements: Counts fallbacks.
        silent_seconds: Read timeout of the upstream.
        most_rounds: Maximum number of tool rounds in one turn.
    """
    proxy = settings.proxy
    if proxy.url is None:
        return None
    key = proxy.key.get_secret_value() if proxy.key else None
    upstream = Upstream(UpstreamEndpoint(proxy.url, key, silent_seconds))
    stack.push_async_callback(upstream.close)
    capture = TurnCapture(services.conversations.capture)
    feed = OutputFeed(
        services.conversations.distillation,
        measurements,
        most_waiting=MOST_WAITING,
        most_chars=OUTPUT_CHARS,
    )
    for started in (capture, feed):
        started.start()
        stack.push_async_callback(started.close)
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
        most_rounds=most_rounds,
        measurements=measurements,
    )
