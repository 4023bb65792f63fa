"""Language models and rerankers over HTTP."""
