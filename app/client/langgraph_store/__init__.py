"""LangGraph's ``BaseStore`` over Recollect; needs the extra ``langgraph``."""

from .store import RecollectStore

__all__ = ["RecollectStore"]
