"""What programs speak to Recollect with: needs httpx, pydantic and tenacity, and nothing of the server.

``transport`` sends documents, ``generated`` has a typed method for each of ``operations``, and the other modules fit
LangGraph, LangChain and LlamaIndex. Nothing is imported here, so that who needs one of them loads no other.
"""
