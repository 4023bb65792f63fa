"""LangGraph's ``BaseStore`` over Recollect; needs the extra ``langgraph``."""

from app.client.langgraph_store.store import RecollectStore

__all__ = ["RecollectStore"]
