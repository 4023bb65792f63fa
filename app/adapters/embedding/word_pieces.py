"""Word pieces of local models: input tokens, length of texts, and the split of long texts into passages.

The tokenizer loads quickly, because it has no weights. Token counts and passages are therefore available before the
model, and are the same for every embedder.
"""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final

from sentencepiece import SentencePieceProcessor
from tokenizers import Encoding, Tokenizer

from app.adapters.embedding.local_models import ModelFiles
from app.adapters.embedding.values import encodable

LONGEST_WORD: Final = 100
"""Maximum number of word pieces of one word (``max_input_chars_per_word``); a longer word becomes one unknown piece."""
MAX_PASSAGE_TOKENS: Final = 254
"""Number of word pieces that every local model reads, in addition to special ones and a prefix."""

# Some marks of other scripts look like Latin ones; the pattern contains both on purpose.
_CLOSING = "[\"'”’»)\\]」』】）》]*"  # noqa: RUF001
_SENTENCE_END = re.compile(
    rf"(?:[.!?…]{_CLOSING}\s+|[。！？；｡]{_CLOSING}\s*|[؟۔।॥။።։]\s*|(?<!\s)\s*\n\s*)",  # noqa: RUF001
)
_CLAUSE_END = re.compile(r"(?:[,;:)\]—–]\s+|[，、：）】」』]\s*|[،؛])")  # noqa: RUF001


class WordPieces:
    """Tokenizer of word pieces; immutable, safe to use from any thread."""

    def __init__(self, files: ModelFiles) -> None:
        self._files = files
        text = files.tokenizer()
        # A tokenizer file may configure its own truncation and padding.
        self._for_model = Tokenizer.from_buffer(text)
        self._for_model.no_padding()
        self._for_model.enable_truncation(files.model.max_tokens)
        self._whole = Tokenizer.from_buffer(text)
        self._whole.no_padding()
        self._whole.no_truncation()

    def __reduce__(self) -> tuple[Callable[[ModelFiles], "WordPieces"], tuple[ModelFiles]]:
        """Pickle only the files; another process loads the tokenizer once."""
        return _loaded, (self._files,)

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids that the model receives for each text, including ``[CLS]`` and ``[SEP]``."""
        encodings = self._for_model.encode_batch_fast([encodable(text) for text in texts])
        return [encoding.ids for encoding in encodings]

    def count_tokens(self, text: str) -> int:
        """Return the number of word pieces in the first 32,768 characters, without special tokens."""
        return len(self._whole.encode(encodable(text), add_special_tokens=False))

    def split_passages(self, text: str, *, max_tokens: int = 220, max_passages: int = 8) -> list[str]:
        """Split a long text into consecutive passages that fit the model.

        Passages end between sentences if possible, else between clauses, else between words, and have about equal
        length. Equal texts always give equal passages, in any script.

        Args:
            text: Any text; only its first 32,768 characters count.
            max_tokens: Maximum number of word pieces in a passage, 100 (the longest word) to 254.
            max_passages: Maximum number of passages; later ones are omitted.

        Returns:
            The passages in order, without surrounding white space; none for a text without words.
        """
        if not LONGEST_WORD <= max_tokens <= MAX_PASSAGE_TOKENS:
            raise ValueError(f"max_tokens must be {LONGEST_WORD} to {MAX_PASSAGE_TOKENS}, not {max_tokens}.")
        text = encodable(text)
        encoding = self._whole.encode(text, add_special_tokens=False)
        cuts = _Cuts.of(text, encoding)
        passages: list[str] = []
        for begin, end in cuts.windows(max_tokens):
            if len(passages) == max_passages:
                break
            passages.append(text[begin:end].strip())
        return passages


class SentencePieces:
    """Tokenizer of a packed model; needs an eighth of the memory of ``tokenizers`` for its 250,000 pieces."""

    def __init__(self, tokenizer: bytes, max_tokens: int) -> None:
        self._most = max_tokens - 2
        self._pieces = SentencePieceProcessor(model_proto=tokenizer)

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids that the model receives for each text, including ``<s>`` and ``</s>``."""
        begin, end = self._pieces.bos_id(), self._pieces.eos_id()
        rows: list[list[int]] = self._pieces.encode([encodable(text) for text in texts], out_type=int)
        return [[begin, *row[: self._most], end] for row in rows]


@cache
def _loaded(files: ModelFiles) -> WordPieces:
    return WordPieces(files)


@dataclass(frozen=True)
class _Cuts:
    """Possible ends of a window in a tokenised text, as ascending token indexes, best kind first.

    Attributes:
        starts: First character of each token, and the text's length at the end.
        sentences: Tokens that begin a sentence.
        clauses: Tokens that begin a clause.
        words: Tokens that begin a word.
    """

    starts: list[int]
    sentences: list[int]
    clauses: list[int]
    words: list[int]

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> "_Cuts":
        starts = [start for start, _ in encoding.offsets]
        word_ids = encoding.word_ids
        words = [index for index in range(1, len(starts)) if word_ids[index] != word_ids[index - 1]]
        token_at = {starts[index]: index for index in words}

        def begins(pattern: re.Pattern[str]) -> list[int]:
            return [token_at[match.end()] for match in pattern.finditer(text) if match.end() in token_at]

        return cls([*starts, len(text)], begins(_SENTENCE_END), begins(_CLAUSE_END), words)

    def windows(self, max_tokens: int) -> Iterator[tuple[int, int]]:
        """Yield the character span of each passage."""
        total = len(self.starts) - 1
        begin = 0
        while begin < total:
            end = self._end_of_window(begin, total, max_tokens)
            yield self.starts[begin], self.starts[end]
            begin = end

    def _end_of_window(self, begin: int, total: int, max_tokens: int) -> int:
        left = total - begin
        if left <= max_tokens:
            return total
        # Reserve a tenth of each window: early cuts at sentence ends would otherwise add up to another passage.
        windows = ceil(left / (0.9 * max_tokens))
        ideal = begin + ceil(left / windows)
        halfway, last = (begin + ideal) // 2, begin + max_tokens
        fitting = (
            _between(self.sentences, halfway, last)
            or _between(self.clauses, halfway, last)
            or _between(self.words, begin, last)
        )
        return min(fitting, key=lambda place: abs(place - ideal))


def _between(places: list[int], after: int, last: int) -> list[int]:
    return places[bisect_right(places, after) : bisect_right(places, last)]


class WordPieceSplitter:
    """Implements ``graph.core.ports.PassageSplitter``; thread-safe.

    All models use the same measure, so passages stay the same if the embedder changes. Models that read more than 256
    pieces also represent the later parts of a text poorly.
    """

    def __init__(self, tokenizer: WordPieces) -> None:
        self._tokenizer = tokenizer

    def split(self, text: str) -> Sequence[str]:
        """Return the passages in order, or none for a text that the model reads whole."""
        # A text has at most as many word pieces as characters, so most texts need no tokenising here.
        if len(text) <= MAX_PASSAGE_TOKENS:
            return ()
        if self._tokenizer.count_tokens(text) <= MAX_PASSAGE_TOKENS:
            return ()
        return self._tokenizer.split_passages(text)

    def count_tokens(self, text: str) -> int:
        """Return the number of word pieces in the first 32,768 characters."""
        return self._tokenizer.count_tokens(text)


_FIRST_WORD_ID = 1995  # smaller ids are special tokens and single characters
_LEAST = 0.05


@cache
def _vocabulary(files: ModelFiles) -> Mapping[str, int]:
    vocabulary: Mapping[str, int] = json.loads(files.tokenizer())["model"]["vocab"]
    return vocabulary


@dataclass(frozen=True)
class WordSpecificity:
    """Implements ``graph.core.text.language.Specificity`` with the vocabulary that BERT's English models share."""

    files: ModelFiles

    def __call__(self, word: str) -> float:
        """Return 0.05 for the most frequent words up to 1 for rare and unknown ones."""
        vocabulary = _vocabulary(self.files)
        place = vocabulary.get(word) if word.isascii() else None
        if place is None or place <= _FIRST_WORD_ID:
            return 1.0
        span = math.log(len(vocabulary) - _FIRST_WORD_ID)
        return max(_LEAST, math.log(max(place - _FIRST_WORD_ID, 1.1)) / span)
