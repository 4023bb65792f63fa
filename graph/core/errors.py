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
    """Root of every error whose text callers may see."""

    code: ClassVar[str] = "INTERNAL"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy the error with its attributes, without its constructor: another process may raise it."""
        return RecollectError.__new__, (type(self), self.message), self.__dict__


class InvalidInput(RecollectError):
    """Raised when a value breaks a rule; ``field`` names it, the message states the expected form."""

    code = "INVALID_INPUT"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, field=field)


class Unauthenticated(RecollectError):
    """Raised when a request carries no valid credential."""

    code = "UNAUTHENTICATED"


class Forbidden(RecollectError):
    """Raised when a valid credential lacks the scope an operation needs."""

    code = "FORBIDDEN"


class NotFound(RecollectError):
    """Raised when a thing does not exist, or exists in a workspace the caller may not see."""

    code = "NOT_FOUND"


class Conflict(RecollectError):
    """Raised when a write contradicts stored data, such as an id owned elsewhere."""

    code = "CONFLICT"


class LimitExceeded(RecollectError):
    """Raised when a caller asks for more than its rate allows.

    Attributes:
        retry_after_seconds: When trying again is worth it.
    """

    code = "RATE_LIMITED"

    def __init__(self, message: str, *, retry_after_seconds: int = 1) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class Unavailable(RecollectError):
    """Raised when a server the operation needs does not answer; the caller may retry.

    Everything that reads or writes the graph raises it while the graph does not answer; docstrings name it only to add
    more.

    Attributes:
        dependency: Missing dependency, e.g. ``"neo4j"``.
        retry_after_seconds: When trying again is worth it.
        index: The search index that is missing or cannot be searched, where it is only that.
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
