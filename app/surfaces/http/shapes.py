"""Base classes of request and response bodies."""

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.surfaces.http.answer_headers import NOTICE_HEADER
from graph.core.text.checks import note_of_cut
from graph.core.text.normal_forms import SHOWN


class RequestModel(BaseModel):
    """Base of request bodies; refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ResponseModel(BaseModel):
    """Base of response bodies."""

    model_config = ConfigDict(frozen=True)


NOT_BLANK: Final[JsonDict] = {"pattern": SHOWN}

Content = Annotated[str, Field(min_length=1, json_schema_extra=NOT_BLANK)]
"""Text of a memory or a message."""
Name = Annotated[str, Field(min_length=1, max_length=512, json_schema_extra=NOT_BLANK)]
"""A label or an id; the services trim it."""


def cut_notice(queries: Iterable[str | None]) -> dict[str, str]:
    """Return the notice header for a query of which only the end was read; no header if all were read whole."""
    notes = [note for query in queries for note in note_of_cut("query", query or "")]
    return {NOTICE_HEADER: notes[0]} if notes else {}


def text_of(content: Any) -> str:
    """Return the text of a message's content: a text, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


_EXAMPLES = json.loads(files("app.surfaces.http").joinpath("examples.json").read_text(encoding="utf-8"))


def shown_by(model: str) -> JsonDict:
    """Return the extra schema entries of a model: its example from ``examples.json``."""
    return {"examples": [_EXAMPLES[model]]}
