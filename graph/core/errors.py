"""The domain's error tree; every surface maps it once (see ``app/surfaces/*/errors.py``).

::

    RecollectError
    ├── InvalidInput        INVALID_INPUT     names the offending field
    ├── Unauthenticated     UNAUTHENTICATED
    ├── Forbidden           FORBIDDEN
    ├── NotFound            NOT_FOUND
    ├── Conflict            CONFLICT
    ├── LimitExceeded       RATE_LIMITED
    └── Unavailable         UNAVAILABLE       names the dependency
"""

from typing import Any, ClassVar


class RecollectError(Exception):
    """Base of all errors whose message callers may see."""

    code: ClassVar[str] = "INTERNAL"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error by its attributes instead of constructor arguments, so that it can cross processes."""
        return RecollectError.__new__, (type(self), self.message), self.__dict__


class InvalidInput(RecollectError):
    """Raised when a value breaks a rule; ``field`` names it, the message states the expected form."""

    code = "INVALID_INPUT"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, field=field)


class Unauthenticated(RecollectError):
    """Raised when a request has no valid credential."""

    code = "UNAUTHENTICATED"


class Forbidden(RecollectError):
    """Raised when a valid credential lacks the scope that an operation needs."""

    code = "FORBIDDEN"


class NotFound(RecollectError):
    """Raised when an object does not exist, or exists in a workspace that the caller may not see."""

    code = "NOT_FOUND"


class Conflict(RecollectError):
    """Raised when a write contradicts stored data, such as an id that another object has."""

    code = "CONFLICT"


class LimitExceeded(RecollectError):
    """Raised when a caller exceeds its rate.

    Attributes:
        retry_after_seconds: Time after which a retry makes sense.
    """

    code = "RATE_LIMITED"

    def __init__(self, message: str, *, retry_after_seconds: int = 1) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class Unavailable(RecollectError):
    """Raised when a server that the operation needs does not answer; the caller may retry.

    Everything that reads or writes the graph raises it while the graph does not answer; docstrings mention it only to
    say more than that.

    Attributes:
        dependency: Missing dependency, e.g. ``"neo4j"``.
        retry_after_seconds: Time after which a retry makes sense.
        index: Search index that is missing or not ready, if this is the only problem.
        is_refused: True if the server answers but refuses the caller or the request, so that a retry is useless.
    """

    code = "UNAVAILABLE"

    def __init__(
        self,
        dependency: str,
        message: str,
        *,
        retry_after_seconds: int = 5,
        index: str | None = None,
        is_refused: bool = False,
    ) -> None:
        super().__init__(message)
        self.dependency = dependency
        self.retry_after_seconds = retry_after_seconds
        self.index = index
        self.is_refused = is_refused
