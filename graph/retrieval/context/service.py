"""Composes the context of an agent: gathers the layers concurrently and fits them into the token budget."""

import asyncio
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import structlog

from graph.core.current_call import touches
from graph.core.errors import InvalidInput, RecollectError
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.text.budget import effective_budget, estimate_tokens
from graph.core.text.checks import note_of_cut, storable
from graph.retrieval.context.layers import Layer, LayerContent, LayerOff
from graph.retrieval.context.models import (
    DEFAULT_TOKENS,
    MOST_TARGETS,
    AgentContext,
    ContextQuery,
    LayerName,
    WhyOff,
)
from graph.retrieval.context.wording import framed, messages_of
from graph.retrieval.recall.rules import required_query
from graph.retrieval.recall.service import WARM_UPS
from graph.tenancy.models import Workspace, memory_off
from graph.tenancy.settings import WorkspaceSettings
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.service import vectors_within

_LOOKED_AT_ALONE = 8  # first items of a layer that are skipped if one alone exceeds the budget


class FittedPrompt:
    """The items that fit into a token budget, and the blocks of their prompt.

    Each layer adds its best items first, in the order of urgency. While later layers need tokens, a layer takes at most
    half of the remaining budget, but at least its best item. An item that is too long is skipped, so that it does not
    block later ones.

    Attributes:
        included: Fitting items of each gathered layer.
    """

    def __init__(
        self,
        layers: Sequence[Layer],
        gathered: Mapping[LayerName, Sequence[Any]],
        query: ContextQuery,
        budget: int,
    ) -> None:
        """Choose the items.

        Args:
            layers: Layers, in the order of the prompt.
            gathered: Items of each layer, best first.
            query: Request of the context.
            budget: Tokens of the whole prompt.
        """
        self.included: dict[LayerName, Sequence[Any]] = dict.fromkeys(gathered, ())
        self._layers = layers
        self._gathered = gathered
        self._query = query
        self._texts: dict[LayerName, str] = {}
        urgent = [each for each in sorted(layers, key=lambda each: each.urgency) if gathered.get(each.name)]
        for layer in urgent:
            before = self._tokens(self._texts)
            self._take(layer, budget)
            if layer is not urgent[-1]:
                self._cut(layer, (before + budget) // 2)
        for layer in urgent[:-1]:
            if len(self.included[layer.name]) < len(gathered[layer.name]):
                self._take(layer, budget)

    @property
    def blocks(self) -> list[str]:
        """Blocks of the prompt, in order."""
        return self._framed(self._texts)

    def _take(self, layer: Layer, budget: int) -> None:
        """Include as many items of a layer as fit beside the other layers' items."""
        items = self._gathered[layer.name]
        self._include(layer, items)
        if self._tokens(self._texts) <= budget:
            return
        best, rest = items[:_LOOKED_AT_ALONE], items[_LOOKED_AT_ALONE:]
        items = [*(item for item in best if self._fitting(layer, [item], budget)), *rest]
        self._include(layer, items[: self._fitting(layer, items, budget)])

    def _cut(self, layer: Layer, budget: int) -> None:
        """Reduce a layer to the items that fit, but keep at least its best item."""
        if self._tokens(self._texts) > budget:
            items = self.included[layer.name]
            self._include(layer, items[: max(1, self._fitting(layer, items, budget))])

    def _fitting(self, layer: Layer, items: Sequence[Any], budget: int) -> int:
        """Return how many first items of a layer fit beside the other layers' items.

        Bisects the number, because each rendering blocks the event loop.
        """

        def tokens(count: int) -> int:
            return self._tokens({**self._texts, layer.name: self._worded(layer, items[:count])})

        return bisect_right(range(1, len(items) + 1), budget, key=tokens)

    def _include(self, layer: Layer, items: Sequence[Any]) -> None:
        self.included[layer.name] = items
        self._texts[layer.name] = self._worded(layer, items)

    def _worded(self, layer: Layer, items: Sequence[Any]) -> str:
        return layer.render(items, self._query) if items else ""

    def _framed(self, texts: Mapping[LayerName, str]) -> list[str]:
        shown = (texts.get(layer.name, "") for layer in self._layers)
        return framed([text for text in shown if text], self._query.format)

    def _tokens(self, texts: Mapping[LayerName, str]) -> int:
        return estimate_tokens("\n\n".join(self._framed(texts)))


_VECTORS_SHARE = 0.4  # share of the deadline; searches by words, names and graph need the rest
_RERANK_SHARE = 0.8  # share of the deadline; memories in their first order are better than none
_LAYERS_SHARE = 0.1  # minimum share of the deadline for the layers after a slow read of the workspace
_WARMING_SECONDS = 15.0  # longer than an idle machine needs for a warm-up
_MOST_LATE = 32  # bounds the number of unfinished layers while the graph is slow
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,99}")  # keeps text that is no model name out of the log
_log = structlog.get_logger("recollect.context")


class AgentContexts:
    """Composes contexts; lives as long as the process."""

    def __init__(
        self,
        workspaces: Workspaces,
        layers: Sequence[Layer],
        *,
        deadline_seconds: float,
        turn_deadline_seconds: float | None = None,
        measurements: Measurements = UNMEASURED,
    ) -> None:
        """Store the dependencies.

        Args:
            workspaces: Reads the settings of workspaces.
            layers: Layers, in the order of the prompt.
            deadline_seconds: Deadline of the layers of a requested context.
            turn_deadline_seconds: Deadline of the layers of an automatic context; None: the same.
            measurements: Counts the missing parts of contexts.
        """
        self._workspaces = workspaces
        self._layers = layers
        self._deadline_seconds = deadline_seconds
        self._turn_deadline_seconds = turn_deadline_seconds or deadline_seconds
        self._measurements = measurements
        self._late: set[asyncio.Task[LayerContent]] = set()
        self._warm = asyncio.Event()
        self._warm.set()

    @property
    def turn_deadline_seconds(self) -> float:
        """Deadline of the layers of an automatic context."""
        return self._turn_deadline_seconds

    async def compose(
        self, workspace_id: str, query: ContextQuery, *, deadline_seconds: float | None = None
    ) -> AgentContext:
        """Return the context for an agent's planned action.

        A layer that fails or misses the deadline is omitted and reported, but never raises. If vectors are late, only
        hits by meaning are missing. If the workspace's memory is off, patterns are omitted, and an automatic context is
        empty. A requested context waits for a running warm-up, so that it is complete even right after a start.

        Raises:
            InvalidInput: The query is blank, or there are too many targets.
            NotFound: There is no such workspace.
        """
        _check(query)
        whole, query = query.query, query.model_copy(update={"query": required_query(query.query)})
        _note_targets(query)
        own = self._turn_deadline_seconds if query.is_automatic else self._deadline_seconds
        most = own if deadline_seconds is None else deadline_seconds
        if not query.is_automatic:
            await self._warmed_up()
        clock = asyncio.get_running_loop()
        began = clock.time()
        workspace = await self._workspaces.get(workspace_id)
        chosen = WorkspaceSettings.of(workspace.settings)
        budget = effective_budget(self._tokens(query, chosen))
        off = _why_off(workspace, budget)
        whys = {
            layer.name: _why_silent(layer.name, workspace, query, budget) for layer in self._wanted(query)
        }
        silent = {name: why for name, why in whys.items() if why is not None}
        gathered, skipped, missing = await self._gather(
            workspace_id,
            query.model_copy(update={"layers": query.layers - silent.keys()}),
            max(most - (clock.time() - began), most * _LAYERS_SHARE),
            most,
        )
        notes = note_of_cut("query", whole)
        skipped = [*notes, *(f"{name}: {why}" for name, why in silent.items()), *skipped]
        missing = dict.fromkeys(map(str, silent), "off") | missing
        if notes:
            missing["query"] = "cut"
        fitted = FittedPrompt(self._layers, gathered, query, budget)
        included, blocks = fitted.included, fitted.blocks
        for name, items in included.items():
            cut = len(gathered[name]) - len(items)
            if cut:
                missing[name] = "cut"
                skipped.append(f"{name}: {cut} of {len(gathered[name])} left out, they exceed maxTokens")
        for layer in self._layers:
            if layer.name in included and not query.dry_run:
                layer.note_use(workspace_id, included[layer.name], query)
        self.count_missing(missing)
        prompt = "\n\n".join(blocks)
        messages = messages_of(blocks, query.format, query=whole, provider=query.provider)
        context = AgentContext(prompt, messages, estimate_tokens(prompt), included, skipped, missing, off)
        if query.dry_run or (off is not None and not context.prompt):
            return context
        _note_injected(query, context)
        return context

    def count_missing(self, missing: Mapping[str, str]) -> None:
        """Count the missing parts of a context, except parts cut by its budget."""
        for part, why in missing.items():
            if why != "cut":
                self._measurements.fallback("context", f"{part}({why})")

    def warm_up(self, workspace_id: str) -> asyncio.Task[None]:
        """Begin to have the server plan the layers' statements, which may take longer than the deadline the first time.

        From this call on, requested contexts wait until the returned task ends.
        """
        self._warm.clear()
        task = asyncio.create_task(self._plan_all(workspace_id), name="plan_contexts")
        task.add_done_callback(lambda _: self._warm.set())
        return task

    async def _warmed_up(self) -> None:
        """Wait for a running warm-up, but not longer than 15 seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_WARMING_SECONDS):
                await self._warm.wait()

    async def _plan_all(self, workspace_id: str) -> None:
        """Have the statements run in each form; those without vectors differ, and are needed if an embedder is late."""
        query = ContextQuery(query=WARM_UPS[0], conversation_id="none")
        for change in (
            {"action_type": "none"},
            {"target_types": ("Nothing",), "target_ids": ("ent_none",)},
            {"query": WARM_UPS[1]},
        ):
            await self._plan(workspace_id, query.model_copy(update=change))
        with vectors_within(0.0):
            await self._plan(workspace_id, query)

    async def _plan(self, workspace_id: str, query: ContextQuery) -> None:
        """Run the layers' statements one after another, so that a core stays free for requests."""
        for layer in self._wanted(query):
            with suppress(LayerOff):
                await layer.gather(workspace_id, query)

    async def close(self) -> None:
        """Cancel the layers that missed their deadline and still run."""
        late = list(self._late)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _gather(
        self, workspace_id: str, query: ContextQuery, seconds: float, deadline_seconds: float
    ) -> tuple[dict[LayerName, Sequence[Any]], list[str], dict[str, str]]:
        """Return each layer's items, the reasons of missing parts, and their summary; see :class:`AgentContext`."""
        layers = self._wanted(query)
        with vectors_within(seconds * _VECTORS_SHARE, reranked_within=seconds * _RERANK_SHARE) as patience:
            tasks = {layer.name: asyncio.create_task(layer.gather(workspace_id, query)) for layer in layers}
        if not tasks:
            return {}, [], {}
        try:
            await asyncio.wait(tasks.values(), timeout=seconds)
        except asyncio.CancelledError:
            for task in tasks.values():
                task.cancel()
            raise
        skipped: list[str] = []
        missing: dict[str, str] = {}
        if patience.failure is not None:
            missing["meaning"] = "late" if patience.was_late else "failed"
            skipped.append(f"meaning: only words and names were searched: {patience.failure}")
        for name, task in tasks.items():
            if task.done():
                note, code = _outcome(name, task)
            else:
                self._leave(name, task)
                note, code = f"the graph did not answer within {deadline_seconds:g} seconds", "late"
            if note is not None:
                skipped.append(f"{name}: {note}")
            if code is not None:
                missing[name] = code
        gathered = {
            name: task.result().items
            for name, task in tasks.items()
            if task.done() and task.exception() is None
        }
        return gathered, skipped, missing

    def _wanted(self, query: ContextQuery) -> list[Layer]:
        return [layer for layer in self._layers if layer.name in query.layers]

    def _leave(self, name: LayerName, task: asyncio.Task[LayerContent]) -> None:
        """Let a late layer finish in the background, so that Neo4j has its plan for the next request."""
        _log.warning("context.layer_late", layer=str(name))
        if len(self._late) >= _MOST_LATE:
            task.cancel()
        self._late.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[LayerContent]) -> None:
        self._late.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, LayerOff):
            _log.warning("context.layer_failed", reason=type(error).__name__)

    def _tokens(self, query: ContextQuery, chosen: WorkspaceSettings) -> int:
        """Return the token budget: the smaller of the caller's and the workspace's, or else the default."""
        limits = [most for most in (query.max_tokens, chosen.max_tokens) if most is not None]
        return min(limits, default=DEFAULT_TOKENS)


def _check(query: ContextQuery) -> None:
    storable("conversationId", query.conversation_id or "")
    for field, named in (("targetEntityIds", query.target_ids), ("targetTypes", query.target_types)):
        if len(named) > MOST_TARGETS:
            raise InvalidInput(field, f"{field} must name at most {MOST_TARGETS}, got {len(named)}")
        for name in named:
            storable(field, name)


def _why_off(workspace: Workspace, budget: int) -> WhyOff | None:
    """Return why layers are not gathered, or None if all are."""
    if not workspace.memory_enabled:
        return WhyOff.MEMORY
    return WhyOff.BUDGET if budget == 0 else None


def _why_silent(name: LayerName, workspace: Workspace, query: ContextQuery, budget: int) -> str | None:
    """Return why a layer is not gathered, or None if it is."""
    if not workspace.memory_enabled and (query.is_automatic or name is LayerName.PATTERNS):
        return memory_off(workspace.id)
    return WhyOff.BUDGET if budget == 0 else None


def _note_targets(query: ContextQuery) -> None:
    """Report the targets' types and nodes as touched by the current call."""
    for type_ in query.target_types:
        touches(type_=type_)
    touches(*query.target_ids)


def _note_injected(query: ContextQuery, context: AgentContext) -> None:
    _log.info(
        "memory.injection.injected",
        count=len(context.memories),
        patterns=len(context.patterns),
        strategy=str(query.format),
        model=_logged_name(query.provider),
        skipped=len(context.skipped),
    )


def _logged_name(model: str | None) -> str | None:
    """Return the name of a model for the log, or ``other``: callers could put any text there."""
    return model if model is None or _MODEL.fullmatch(model) else "other"


def _outcome(name: LayerName, task: asyncio.Task[LayerContent]) -> tuple[str | None, str | None]:
    """Return the note and the code of a finished layer; see ``skipped`` and ``missing`` of :class:`AgentContext`."""
    error = task.exception()
    if error is None:
        content = task.result()
        return content.note, "cut" if content.is_cut else None
    is_failure = not isinstance(error, LayerOff) or error.is_failure
    return _reason(name, error), "failed" if is_failure else None


def _reason(name: LayerName, error: BaseException) -> str:
    if isinstance(error, LayerOff):
        return str(error)
    _log.warning("context.layer_failed", layer=str(name), reason=type(error).__name__)
    return error.message if isinstance(error, RecollectError) else "it failed; see the log"
