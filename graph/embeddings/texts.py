"""What text of a memory is embedded."""

from graph.embeddings.models import Utterance

# A short turn says little without the turns around it; a long one speaks for itself.
LONGEST_WINDOWED_WORDS = 60


def embedded_text(
    own: Utterance, *, words: int, previous: Utterance | None, following: Utterance | None
) -> str:
    """Return a short turn with its neighbours, one line each; a long text or a note alone."""
    if words > LONGEST_WINDOWED_WORDS:
        return _line(own)
    return "\n".join(_line(turn) for turn in (previous, own, following) if turn is not None)


def _line(turn: Utterance) -> str:
    return f"{turn.speaker}: {turn.content}" if turn.speaker else turn.content
