"""Text: what may be stored, its words and sentences, queries for Lucene, budgets, and stored text in prompts."""
