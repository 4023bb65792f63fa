"""Texts to embed for a node."""

from collections.abc import Sequence

from graph.core.ports import PassageSplitter
from graph.core.text.language import sentences
from graph.vectors.index.models import Utterance

# A short turn says little without the turns around it; a long one speaks for itself.
LONGEST_WINDOWED_WORDS = 60
_MOST_SENTENCES = 8


def embedded_text(
    own: Utterance, *, words: int | None, previous: Utterance | None, following: Utterance | None
) -> str:
    """Return a short turn with its neighbours, one line each; a long text or another node alone."""
    if words is None or words > LONGEST_WINDOWED_WORDS:
        return _line(own)
    return "\n".join(
        [
            *([_shortened(_line(previous))] if previous else []),
            _line(own),
            *([_shortened(_line(following))] if following else []),
        ]
    )


def passage_texts(
    own: Utterance, splitter: PassageSplitter, *, words: int, has_neighbours: bool
) -> Sequence[str]:
    """Return the texts of further vectors of a memory, each naming the speaker; none where one vector says it all.

    A long text has what lies behind its beginning, which its own vector covers, since a model reads a text from its
    start. A short one has its sentences, where there are several or its own vector speaks of its neighbours too.
    """
    if words > LONGEST_WINDOWED_WORDS:
        parts = splitter.split(own.content)[1:]
    else:
        parts = sentences(own.content)[:_MOST_SENTENCES]
        if len(parts) == 1 and not has_neighbours:
            parts = []
    return [_line(Utterance(content=part, speaker=own.speaker)) for part in parts]


def _shortened(line: str) -> str:
    """Truncate a long neighbour, so that it cannot push the turn itself out of the model's window."""
    return " ".join(line.split()[:LONGEST_WINDOWED_WORDS])


def _line(turn: Utterance) -> str:
    return f"{turn.speaker}: {turn.content}" if turn.speaker else turn.content
