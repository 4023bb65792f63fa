"""Renders a context: entities and memories as text, and the whole as messages."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from graph.core.text.language import is_chinese
from graph.core.text.prompts import DATA_NOTE, FENCE_CLOSE, FENCE_OPEN, as_data
from graph.memories.changes.relative_times import dated_content
from graph.memories.models import MemoryFacet
from graph.retrieval.context.models import InjectionFormat, KnownEntity
from graph.retrieval.recall.attribution import attributed, by_assistant
from graph.retrieval.recall.models import RecallHit
from graph.retrieval.recall.validity import span_behind

PROVIDERS_WITHOUT_SYSTEM_MESSAGE = frozenset(
    {"o1", "o1-mini", "o1-preview", "glm", "glmt", "glm-cn", "zai", "qianfan"}
)
_GLM = re.compile(r"(?<![a-z])(?:chat)?glm(?![a-z])")
_MEMORYX_FENCE = "---"
_FACETS_ZH = {
    MemoryFacet.PREFERENCE: "偏好",
    MemoryFacet.SKILL: "技能",
    MemoryFacet.OBJECTIVE: "目标",
    MemoryFacet.CONTEXT: "背景",
}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def provider_supports_system_message(provider: str | None) -> bool:
    """Tell whether a provider, or ``provider/model``, accepts the role ``system``; unknown ones do.

    A model with ``glm`` in its name counts as GLM at every provider.
    """
    names = [name.strip() for name in (provider or "").casefold().split("/")]
    is_glm = any(_GLM.search(name) for name in names)
    return not is_glm and PROVIDERS_WITHOUT_SYSTEM_MESSAGE.isdisjoint(names)


def entity_block(known: Sequence[KnownEntity]) -> str:
    """Return entities with their relations as text; empty for none."""
    lines = [line for each in known for line in _entity_lines(each)]
    return "\n".join(["Known entities:", *lines]) if lines else ""


def memory_block(hits: Sequence[RecallHit], format_: InjectionFormat, query: str) -> str:
    """Return memories as a block in the requested format; empty for none.

    In the user's message, labels are in the language of the query.
    """
    if not hits:
        return ""
    if format_ is not InjectionFormat.USER_SUFFIX:
        return "Memory context: " + "\n".join(_entry_text(hit) for hit in hits)
    count = "1 memory" if len(hits) == 1 else f"{len(hits)} memories"
    in_chinese = is_chinese(query)
    return "\n".join(
        [
            _MEMORYX_FENCE,
            f"[MemoryX Context · {count}]",
            *(f"- [{_label(hit, in_chinese=in_chinese)}] {_entry_text(hit)}" for hit in hits),
            "(Above is user background info. Answer the question directly; refer to context only when relevant.)",
            _MEMORYX_FENCE,
        ]
    )


def framed(blocks: Sequence[str], format_: InjectionFormat) -> list[str]:
    """Return blocks with a note that they are data, inside fences that stored text cannot close; empty for none.

    A system prompt has one fence. System messages need none, because text cannot leave its message; the note is a
    message of its own, so that OmniRoute's message keeps its form. In a suffix, MemoryX's block has its own fence, and
    the other blocks share one.
    """
    if not blocks:
        return []
    if format_ is InjectionFormat.SYSTEM_MESSAGE:
        return [DATA_NOTE, *blocks]
    open_ = [block for block in blocks if not block.startswith(f"{_MEMORYX_FENCE}\n")]
    fenced = [block for block in blocks if block.startswith(f"{_MEMORYX_FENCE}\n")]
    whole = "\n\n".join(open_)
    if not whole:
        return [DATA_NOTE, *fenced]
    return [f"{DATA_NOTE}\n{FENCE_OPEN}\n{whole}\n{FENCE_CLOSE}", *fenced]


def messages_of(
    blocks: Sequence[str], format_: InjectionFormat, *, query: str, provider: str | None
) -> list[dict[str, str]]:
    """Convert the blocks of :func:`framed` to messages.

    A system prompt is one message; system messages are one per block. Both have the role ``user`` if the provider has
    no system role. A suffix is appended to the user's message, and the result replaces that message.
    """
    whole = "\n\n".join(blocks)
    if format_ is InjectionFormat.USER_SUFFIX:
        return [{"role": "user", "content": f"{query}\n\n{whole}" if whole else query}]
    role = "system" if provider_supports_system_message(provider) else "user"
    contents = blocks if format_ is InjectionFormat.SYSTEM_MESSAGE else [whole]
    return [{"role": role, "content": content} for content in contents if content]


def _entity_lines(known: KnownEntity) -> Iterator[str]:
    entity = known.entity
    about = entity.summary or entity.description
    described = f": {as_data(about)}" if about else ""
    yield f"- {as_data(entity.name)} ({as_data(entity.type)}){described}"
    for related in known.related:
        arrow = "→" if related.is_outgoing else "←"
        other = related.entity
        yield f"  - {as_data(related.relation_type)} {arrow} {as_data(other.name)} ({as_data(other.type)})"


def _entry_text(hit: RecallHit) -> str:
    """Return a memory with its speaker and its validity."""
    memory = hit.memory
    by = f" ({note})" if (note := by_assistant(memory.speaker)) else ""
    return attributed(dated_content(memory), memory.speaker) + by + span_behind(hit)


def _label(hit: RecallHit, *, in_chinese: bool) -> str:
    facet, moment = hit.memory.facet, hit.memory.timestamp
    return f"{_FACETS_ZH[facet] if in_chinese else facet}·{_month(moment, in_chinese=in_chinese)}"


def _month(moment: datetime, *, in_chinese: bool) -> str:
    return f"{moment.month}月" if in_chinese else _MONTHS[moment.month - 1]
