"""The examples of the OpenAPI document, out of ``examples.json``."""

import json
from importlib.resources import files

from pydantic.config import JsonDict

_EXAMPLES = json.loads(files("app.surfaces.rest").joinpath("examples.json").read_text(encoding="utf-8"))


def shown_by(model: str) -> JsonDict:
    """Return what the schema of a model has beside its fields: the example of its name."""
    return {"examples": [_EXAMPLES[model]]}
