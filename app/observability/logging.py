"""Logging: named events without users' texts."""

import logging
import sys
from collections.abc import Iterator, MutableMapping
from traceback import format_tb
from typing import Any, Literal, TextIO

import structlog
from structlog.types import Processor

LogFormat = Literal["auto", "json", "console"]
_DEEPEST = 10  # maximum number of chained exceptions


def configure_logging(level: str, format_: LogFormat = "auto", stream: TextIO | None = None) -> None:
    """Log events from ``level`` upwards, and warnings of libraries, in one format.

    The log has the type, code and place of an exception, but not its message, which may quote users' texts.

    Args:
        level: Level of the service's own events. Libraries' events are always logged from warnings upwards, because at
            lower levels they contain parameters and addresses.
        format_: ``json`` is one object a line; ``auto`` is the same unless the output is a terminal.
        stream: Output; default: standard error.
    """
    out = stream or sys.stderr
    as_json = format_ == "json" or (format_ == "auto" and not out.isatty())
    rendering = _renderer(as_json=as_json)
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *_enriching(), *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=stream is None,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.contextvars.merge_contextvars, _named, *_enriching()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    # The driver logs every retry; the service logs the final result once.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    # The MCP SDK may quote requests in its log.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)


def _enriching() -> list[Processor]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_words,
    ]


def _renderer(*, as_json: bool) -> list[Processor]:
    if as_json:
        return [structlog.processors.JSONRenderer(default=str)]
    return [structlog.dev.ConsoleRenderer()]


def _named(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Name a library's event ``library.warning`` or similar, with its message template but without values."""
    record: logging.LogRecord = event["_record"]
    text = str(record.msg).splitlines()
    return {
        **event,
        "event": f"library.{record.levelname.lower()}",
        "logger": record.name,
        "message": text[0] if text else "",
    }


def _without_words(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace an exception with the place where it was raised."""
    raised = event.pop("exc_info", None)
    if raised is True:
        raised = sys.exc_info()
    if isinstance(raised, tuple):
        raised = raised[1]
    if isinstance(raised, BaseException):
        event["exception"] = "".join(_rendered(raised, _DEEPEST))
    return event


def _rendered(error: BaseException, deepest: int) -> Iterator[str]:
    """Yield the lines of a traceback with causes, without the messages of exceptions."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and cause is not error and deepest:
        yield from _rendered(cause, deepest - 1)
        yield "\nwhich led to:\n"
    yield from format_tb(error.__traceback__)
    code = getattr(error, "code", None)
    yield type(error).__qualname__ + (f" {code}" if isinstance(code, str) else "") + "\n"
    if isinstance(error, BaseExceptionGroup) and deepest:
        for one in error.exceptions:
            yield from _rendered(one, deepest - 1)
