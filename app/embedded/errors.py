"""Why an embedded server cannot run.

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
    """Root of the errors of starting; each message is for the operator and says what to do."""


class DataFolderHeld(CannotStart):
    """Raised when another process uses the data folder; the message says which."""


class JarsIncomplete(CannotStart):
    """Raised when a jar cannot be fetched or is not what the list says."""


class JavaNotFound(CannotStart):
    """Raised when no Java, or not the one that the settings name, can run Neo4j."""


class PortTaken(CannotStart):
    """Raised when a port that the settings name is in use."""


class RedisNotFound(CannotStart):
    """Raised when there is no ``redis-server``, on PATH or packaged for this Python and machine."""


class ServerFailed(CannotStart):
    """Raised when a server ends or stays silent instead of answering.

    Attributes:
        last_words: The end of its log.
    """

    def __init__(self, message: str, *, last_words: str = "") -> None:
        super().__init__(message)
        self.last_words = last_words
