"""Specificity of words, from their rank in a local model's vocabulary, which is ordered by frequency."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from app.adapters.embedding.local_models import ModelFiles

_FIRST_WORD_ID = 1995  # what stands before are special tokens and single characters
_LEAST = 0.05


@cache
def _vocabulary(files: ModelFiles) -> Mapping[str, int]:
    vocabulary: Mapping[str, int] = json.loads(files.tokenizer())["model"]["vocab"]
    return vocabulary


@dataclass(frozen=True)
class WordSpecificity:
    """Fulfils ``graph.core.text.language.Specificity`` with the vocabulary that BERT's English models share."""

    files: ModelFiles

    def __call__(self, word: str) -> float:
        """Return 0.05 for the most frequent words up to 1 for rare ones; 1 for one that the vocabulary lacks."""
        vocabulary = _vocabulary(self.files)
        place = vocabulary.get(word) if word.isascii() else None
        if place is None or place <= _FIRST_WORD_ID:
            return 1.0
        span = math.log(len(vocabulary) - _FIRST_WORD_ID)
        return max(_LEAST, math.log(max(place - _FIRST_WORD_ID, 1.1)) / span)
