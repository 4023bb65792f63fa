"""Puts a message of a chat together that comes in pieces."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.surfaces.proxy.dialects import Json, name_of

_SET_ONCE = frozenset({"id", "type", "name", "role", "index"})  # the first counts; other texts grow


def grow(whole: Json, piece: Mapping[str, Any]) -> None:
    """Add a piece of a streamed message: texts are appended, lists merge by their ``index``."""
    for name, value in piece.items():
        known = whole.get(name)
        if isinstance(value, str) and isinstance(known, str) and name not in _SET_ONCE:
            whole[name] = known + value
        elif isinstance(value, dict):
            whole[name] = known if isinstance(known, dict) else {}
            grow(whole[name], value)
        elif isinstance(value, list):
            whole[name] = known if isinstance(known, list) else []
            _grow_list(whole[name], value, place_of_call if name == "tool_calls" else _place_of)
        elif value is not None and not (known and name in _SET_ONCE):
            whole[name] = value


def place_of_call(calls: Sequence[Any], piece: Mapping[str, Any]) -> int | None:
    """Return the index of the call that a piece continues; None if it begins one.

    Some servers give all parallel calls the index 0. Others change a call's id from piece to piece, so a piece without
    a name begins none.
    """
    places = _places_of(calls, piece)
    id_ = piece.get("id")
    same = [place for place in places if not id_ or calls[place].get("id") in (None, "", id_)]
    if not same and not name_of(piece):
        same = places
    return same[-1] if same else None


def _grow_list(
    whole: list[Any],
    pieces: Sequence[Any],
    place_of: Callable[[Sequence[Any], Mapping[str, Any]], int | None],
) -> None:
    for piece in pieces:
        if not isinstance(piece, dict):
            whole.append(piece)
            continue
        place = place_of(whole, piece)
        if place is None:
            place = len(whole)
            whole.append({"index": _index_of(piece)})
        grow(whole[place], piece)


def _place_of(whole: Sequence[Any], piece: Mapping[str, Any]) -> int | None:
    """Return the index of the item that a piece continues; None if it begins one."""
    places = _places_of(whole, piece)
    return places[0] if places else None


def _places_of(whole: Sequence[Any], piece: Mapping[str, Any]) -> list[int]:
    index = _index_of(piece)
    return [place for place, each in enumerate(whole) if isinstance(each, dict) and _index_of(each) == index]


def _index_of(piece: Mapping[str, Any]) -> int:
    index = piece.get("index")
    return index if isinstance(index, int) else 0
