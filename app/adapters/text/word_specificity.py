"""How specific a word is, told by where it stands in the packaged model's vocabulary, which is ordered by frequency."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from app.adapters.embedding.minilm_files import packaged_folder

_FIRST_WORD_ID = 1995  # what stands before are special tokens and single characters
_LEAST = 0.05


@cache
def _vocabulary(folder: Path) -> Mapping[str, int]:
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary: Mapping[str, int] = tokenizer["model"]["vocab"]
    return vocabulary


def word_specificity(word: str) -> float:
    """Return 0.05 for the most frequent words up to 1 for rare ones; 1 for a word the vocabulary does not hold."""
    vocabulary = _vocabulary(packaged_folder())
    place = vocabulary.get(word) if word.isascii() else None
    if place is None or place <= _FIRST_WORD_ID:
        return 1.0
    span = math.log(len(vocabulary) - _FIRST_WORD_ID)
    return max(_LEAST, math.log(max(place - _FIRST_WORD_ID, 1.1)) / span)
