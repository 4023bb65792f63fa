"""Splits long texts by the word pieces of the default local model, for every embedder."""

from collections.abc import Sequence

from app.adapters.embedding.word_pieces import MAX_PASSAGE_TOKENS, WordPieces


class WordPieceSplitter:
    """Fulfils ``graph.core.ports.PassageSplitter``; thread-safe.

    One measure for all models: passages stay the same when the embedder changes, and models that read more than
    256 pieces still say little of the text's later parts.
    """

    def __init__(self, tokenizer: WordPieces) -> None:
        self._tokenizer = tokenizer

    def split(self, text: str) -> Sequence[str]:
        """Return the passages in order, or none for a text that the model reads whole."""
        # A text has no more word pieces than characters, so most texts need not be tokenised for this.
        if len(text) <= MAX_PASSAGE_TOKENS:
            return ()
        if self._tokenizer.count_tokens(text) <= MAX_PASSAGE_TOKENS:
            return ()
        return self._tokenizer.split_passages(text)

    def count_tokens(self, text: str) -> int:
        """Return how many word pieces the first 32,768 characters have."""
        return self._tokenizer.count_tokens(text)
