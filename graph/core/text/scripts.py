"""The two scripts of Chinese: Traditional characters as the Simplified ones that rules are written in."""

from functools import cache

from opencc import OpenCC

# Personal pronouns that OpenCC keeps: they are characters of their own, which those who write Simplified do not use.
_PRONOUNS = str.maketrans("妳牠", "你它")


def simplified(text: str) -> str:
    """Return a text with Simplified characters for the Traditional ones, each in its place, after OpenCC's ``t2s``.

    The result has the same length, so offsets are valid in both texts.

    >>> simplified("我對蝦過敏")
    '我对虾过敏'
    """
    if text.isascii():
        return text
    converted: str = _converter().convert(text)
    if len(converted) != len(text):  # a phrase that is shorter in the other script
        converted = "".join(_one(character) for character in text)
    return converted.translate(_PRONOUNS)


def _one(character: str) -> str:
    converted: str = _converter().convert(character)
    return converted if len(converted) == 1 else character


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")
