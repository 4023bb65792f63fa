"""Things that a person may have several of: "the user's son" may be another son each time."""

from collections.abc import Sequence

from graph.memories.deduplication.words import WORDS

_ONE_OF_SEVERAL = frozenset(WORDS["one_of_several"].split())
_SINGLED_OUT = frozenset(WORDS["singled_out"].split())
_COUNTS = frozenset(("1", "one"))


def place_of_name(raw: Sequence[str], lowered: Sequence[str]) -> int | None:
    """Return where the name stands that tells one of several from others, if there is one: "the user's son Max"."""
    return next(
        (
            place
            for place, word in enumerate(raw)
            if place and word.istitle() and lowered[place - 1] in _ONE_OF_SEVERAL
        ),
        None,
    )


def is_one_of_several(lowered: Sequence[str], named: int | None) -> bool:
    """Tell whether lower-case words are about one of several, and do not say which.

    Args:
        lowered: The words of a sentence.
        named: Index of the name that distinguishes it from the others.

    >>> is_one_of_several("the user son is 5".split(), None)
    True
    >>> is_one_of_several("the user oldest son is 5".split(), None)
    False
    """
    return any(
        word in _ONE_OF_SEVERAL
        and place + 1 != named
        and lowered[place - 1] not in _SINGLED_OUT
        and lowered[place - 1] not in _COUNTS
        for place, word in enumerate(lowered)
        if place
    )
