"""Values of JSON that are not taken for others: ``"5"`` is no integer, and 1 is not true."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BeforeValidator


def _exactly(type_: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is not None and type(value) is not type_:
            raise ValueError(f"must be {'a boolean' if type_ is bool else 'an integer'}")
        return value

    return check


Flag = Annotated[bool, BeforeValidator(_exactly(bool))]
Whole = Annotated[int, BeforeValidator(_exactly(int))]
