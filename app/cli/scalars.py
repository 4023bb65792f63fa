"""Values on the command line that are more than text: what JSON takes for a scalar."""

import math

from pydantic_core import from_json


def read_scalar(text: str) -> str | int | float | bool | None:
    """Return what a text means: true, false, null, a number or a quoted text of JSON, else the text itself.

    >>> [read_scalar(text) for text in ("true", "0.5", "red", '"1"', "[1]", "1e400")]
    [True, 0.5, 'red', '1', '[1]', '1e400']
    """
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return text
    if isinstance(value, float) and not math.isfinite(value):
        return text
    return value if value is None or isinstance(value, bool | int | float | str) else text
