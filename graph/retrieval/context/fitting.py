"""Fits the results of the layers into a prompt."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from graph.core.text.budget import estimate_tokens
from graph.retrieval.context.layers import Layer
from graph.retrieval.context.models import ContextQuery, LayerName
from graph.retrieval.context.wording import framed

_LOOKED_AT_ALONE = 8  # of a layer's items, whether one of them is too long by itself


class FittedPrompt:
    """The items that fit into a budget, and the blocks of their prompt.

    Each layer adds its best items first. The most urgent layer precedes the others, but apart from its best item takes
    at most half of the rest while these need it. A best item that is too long is skipped, so that it does not block the
    later ones.

    Attributes:
        included: Fitting items of each layer with results.
    """

    def __init__(
        self,
        layers: Sequence[Layer],
        gathered: Mapping[LayerName, Sequence[Any]],
        asked: ContextQuery,
        budget: int,
    ) -> None:
        """Choose the items.

        Args:
            layers: In the order of the prompt.
            gathered: Items of each layer, best first.
            asked: Format of the prompt.
            budget: Tokens of the whole prompt.
        """
        self.included: dict[LayerName, Sequence[Any]] = dict.fromkeys(gathered, ())
        self._layers = layers
        self._gathered = gathered
        self._asked = asked
        self._texts: dict[LayerName, str] = {}
        urgent = [each for each in sorted(layers, key=lambda each: each.urgency) if gathered.get(each.name)]
        for layer in urgent:
            before = self._tokens(self._texts)
            self._take(layer, budget)
            if layer is not urgent[-1]:
                self._cut(layer, (before + budget) // 2)
        for layer in urgent[:-1]:
            if len(self.included[layer.name]) < len(gathered[layer.name]):
                self._take(layer, budget)

    @property
    def blocks(self) -> list[str]:
        """The blocks of the prompt, in its order."""
        return self._framed(self._texts)

    def _take(self, layer: Layer, budget: int) -> None:
        """Include as many of a layer's items as fit beside those of others."""
        items = self._gathered[layer.name]
        self._include(layer, items)
        if self._tokens(self._texts) <= budget:
            return
        best, rest = items[:_LOOKED_AT_ALONE], items[_LOOKED_AT_ALONE:]
        items = [*(item for item in best if self._fitting(layer, [item], budget)), *rest]
        self._include(layer, items[: self._fitting(layer, items, budget)])

    def _cut(self, layer: Layer, budget: int) -> None:
        """Leave a layer the best of its items, and of the others as many as fit."""
        if self._tokens(self._texts) > budget:
            items = self.included[layer.name]
            self._include(layer, items[: max(1, self._fitting(layer, items, budget))])

    def _fitting(self, layer: Layer, items: Sequence[Any], budget: int) -> int:
        """Return how many of a layer's items, the first of them, fit beside those of others.

        A text grows with its items, so their number is bisected: wording them takes the time of the event loop.
        """

        def tokens(count: int) -> int:
            return self._tokens({**self._texts, layer.name: self._worded(layer, items[:count])})

        return bisect_right(range(1, len(items) + 1), budget, key=tokens)

    def _include(self, layer: Layer, items: Sequence[Any]) -> None:
        self.included[layer.name] = items
        self._texts[layer.name] = self._worded(layer, items)

    def _worded(self, layer: Layer, items: Sequence[Any]) -> str:
        return layer.render(items, self._asked) if items else ""

    def _framed(self, texts: Mapping[LayerName, str]) -> list[str]:
        told = (texts.get(layer.name, "") for layer in self._layers)
        return framed([text for text in told if text], self._asked.format)

    def _tokens(self, texts: Mapping[LayerName, str]) -> int:
        return estimate_tokens("\n\n".join(self._framed(texts)))
