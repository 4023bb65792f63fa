"""A decorator that tests a rule on many things and reports all offenders."""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, TypeVar

ItemT = TypeVar("ItemT")


def for_each(
    items: Iterable[ItemT], name: Callable[[ItemT], str] = str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn a check of one thing, its first argument, into a test of all; other arguments are fixtures."""
    checked = list(items)
    assert checked, "there is nothing to check, so the test would always pass"

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        parameters = list(signature(check).parameters.values())

        def test(**fixtures: Any) -> None:
            offenders = []
            for item in checked:
                try:
                    check(item, **fixtures)
                except AssertionError as error:
                    offenders.append(f"{name(item)}: {error}")
            assert not offenders, "\n\n".join(offenders)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        test.__signature__ = signature(check).replace(parameters=parameters[1:])  # type: ignore[attr-defined]
        return test

    return decorate
