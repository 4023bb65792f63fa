"""Errors of embedded servers.

::

    CannotStart
    ├── DataFolderHeld     another process uses the data folder
    ├── JarsIncomplete     a jar cannot be fetched
    ├── JavaNotFound       no Java that can run Neo4j
    ├── PortTaken          a port that the settings name is in use
    ├── RedisNotFound      no redis-server on this machine
    └── ServerFailed       the server ended or stayed silent
"""


class CannotStart(Exception):
    """Base of the errors of a start; each message tells the operator a remedy."""


class DataFolderHeld(CannotStart):
    """Raised when another process uses the data folder; the message names the process."""


class JarsIncomplete(CannotStart):
    """Raised when a jar cannot be fetched, or differs from the list."""


class JavaNotFound(CannotStart):
    """Raised when no Java, or not the configured one, can run Neo4j."""


class PortTaken(CannotStart):
    """Raised when a configured port is in use."""


class RedisNotFound(CannotStart):
    """Raised when there is no ``redis-server``, on PATH or packaged for this Python and machine."""


class ServerFailed(CannotStart):
    """Raised when a server ends, or does not answer.

    Attributes:
        last_words: End of the server's log.
    """

    def __init__(self, message: str, *, last_words: str = "") -> None:
        super().__init__(message)
        self.last_words = last_words
