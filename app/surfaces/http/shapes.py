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
    """A body of a request: a field that it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ResponseModel(BaseModel):
    """A body of an answer."""

    model_config = ConfigDict(frozen=True)


NOT_BLANK: Final[JsonDict] = {"pattern": SHOWN}

Content = Annotated[str, Field(min_length=1, json_schema_extra=NOT_BLANK)]
"""Text of a memory or a message."""
Name = Annotated[str, Field(min_length=1, max_length=512, json_schema_extra=NOT_BLANK)]
"""A label or an id, which is trimmed."""


def cut_notice(queries: Iterable[str | None]) -> dict[str, str]:
    """Return the header that tells that only the end of a query was read, none where each was read whole."""
    notes = [note for query in queries for note in note_of_cut("query", query or "")]
    return {NOTICE_HEADER: notes[0]} if notes else {}


def text_of(content: Any) -> str:
    """Return the text of a message's content, which is a text or parts of which some are."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


_EXAMPLES = json.loads(files("app.surfaces.http").joinpath("examples.json").read_text(encoding="utf-8"))


def shown_by(model: str) -> JsonDict:
    """Return what the schema of a model has beside its fields: the example of its name."""
    return {"examples": [_EXAMPLES[model]]}
