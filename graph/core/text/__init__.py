"""Text: checks, words and sentences, Lucene queries, token budgets, and stored text in prompts."""
