"""Logging: events by name, never what users wrote."""

import logging

import structlog


def configure_logging(level: str) -> None:
    """Log events from ``level`` upwards, one line each; tracebacks without the values of local variables."""
    # The driver tells of every retry; what comes of it is ours to say, once.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    # What the MCP SDK tells of a request may quote it.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(
                exception_formatter=structlog.dev.plain_traceback,
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=True,
    )
