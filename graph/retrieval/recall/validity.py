"""Decides whether memories are valid at a time, and words their validity for models."""

import re
from collections.abc import Sequence
from datetime import datetime

from graph.core.text.normal_forms import simplified
from graph.memories.changes.relative_times import dated_content, ends_with_day
from graph.memories.models import Memory
from graph.retrieval.recall.models import RecallHit, Validity

_MOST_CHARS = 400  # a longer text describes a situation instead of asking a question
_BEFORE = re.compile(
    r"\b(?:before|previous(?:ly)?|former(?:ly)?|used to|earlier|prior|originally|original|back then|at first"
    r"|in the past|no longer|any ?more|ex-?(?:husband|wife|boyfriend|girlfriend|partner|employer|boss)|history)\b"
    r"|以前|之前|从前|先前|此前|原来|原先|过去|曾|当时|那时|时候|那会|早先|最早|最初|起初|前任|前夫|前妻|旧的?(?:地址|号码|电话|邮箱|公司)"
    r"|(?<![目当眼提面])前(?![面天往端台景后途提期沿列方])",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:did|was|were|had|once|first|(?:my|our|his|her|their|the|\w+'s) old|until|till|last year|in (?:19|20)\d\d)\b"
    r"|去年|前年|(?:19|20)\d\d ?年|第一任?",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|nowadays|currently|current|still|today|again|at the moment|these days|lately)\b"
    r"|现在|目前|如今|眼下|当前|现任|还在",
    re.IGNORECASE,
)


def holds(memory: Memory, moment: datetime) -> bool:
    """Tell whether a memory is valid at a time, by the rule of the filter ``valid_at``."""
    return (memory.t_valid is None or memory.t_valid <= moment) and not has_ended(memory, moment)


def validity_in_words(memory: Memory, moment: datetime, superseded_by: Sequence[str] = ()) -> str | None:
    """Return the validity of a memory in words if it is not current at a time; None if it is.

    The words show a model that the memory has ended, even if its content is in the present tense. If another memory
    supersedes it, they give its whole period, or else the ids of the successors.
    """
    if memory.t_invalid is not None and has_ended(memory, moment):
        began = f" from {memory.holds_since:%Y-%m-%d}" if superseded_by else ""
        return f"held{began} until {memory.t_invalid:%Y-%m-%d}"
    if memory.t_valid is not None and memory.t_valid > moment:
        return f"holds from {memory.t_valid:%Y-%m-%d}"
    return f"superseded by {', '.join(superseded_by)}" if superseded_by else None


def span_behind(hit: RecallHit) -> str:
    """Return the known validity of a hit in parentheses, as it follows its content; else an empty text.

    If another hit contradicts it, this is the date of the statement, so that a model can choose, unless the content
    shows it.
    """
    memory = hit.memory
    is_span = hit.superseded_by and memory.t_invalid is not None
    begins = f"from {memory.holds_since:%Y-%m-%d}" if memory.t_valid or is_span else ""
    if hit.disagrees_with and not (begins or ends_with_day(dated_content(memory))):
        begins = f"{memory.holds_since:%Y-%m-%d}"
    ends = f"until {memory.t_invalid:%Y-%m-%d}" if memory.t_invalid else ""
    moments = (" " if begins.startswith("from") else ", ").join(each for each in (begins, ends) if each)
    return f" ({moments})" if moments else ""


def prompt_text(hit: RecallHit) -> str:
    """Return the content of a hit for a model, with the day of relative times and the span of history."""
    return dated_content(hit.memory) + (span_behind(hit) if hit.validity is Validity.HISTORY else "")


def has_ended(memory: Memory, moment: datetime) -> bool:
    """Tell whether the validity of a memory ended at or before a time."""
    return memory.t_invalid is not None and memory.t_invalid <= moment


def is_injected(memory: Memory, moment: datetime, superseded_by: Sequence[str], *, past: bool) -> bool:
    """Tell whether injection may show a memory: a current one, or a superseded, ended one if ``past`` is asked for."""
    if past and superseded_by:
        return has_ended(memory, moment)
    return holds(memory, moment) and not superseded_by


def validity_of(memory: Memory, moment: datetime, superseded_by: Sequence[str] = ()) -> Validity:
    """Return HISTORY for a memory that has ended or is superseded, else CURRENT."""
    return Validity.HISTORY if superseded_by or has_ended(memory, moment) else Validity.CURRENT


def asks_about_the_past(text: str) -> bool:
    """Tell whether a question, in English or Chinese, asks about the past rather than the present.

    >>> asks_about_the_past("Where did I live before?"), asks_about_the_past("Where do I live now?")
    (True, False)
    >>> asks_about_the_past("我以前住在哪里"), asks_about_the_past("我现在住在哪里")
    (True, False)
    """
    if len(text) > _MOST_CHARS:
        return False
    plain = simplified(text)
    return _BEFORE.search(plain) is not None or (
        _ONCE.search(plain) is not None and _NOW.search(plain) is None
    )
