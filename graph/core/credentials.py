"""Keeps credentials out of stored texts."""

from collections.abc import Iterable
from dataclasses import dataclass

from graph.core.errors import InvalidInput
from graph.core.ports import SecretDetector


@dataclass(frozen=True)
class CredentialGuard:
    """Refuses texts that contain a credential; without a detector it refuses nothing."""

    detector: SecretDetector | None

    def refuse(self, field: str, texts: Iterable[str]) -> None:
        """Check texts before they are stored.

        Raises:
            InvalidInput: A text contains a credential; the error names ``field`` and the kind, never the text.
        """
        if self.detector is None:
            return
        for text in texts:
            if kinds := self.detector.kinds_in(text):
                raise InvalidInput(
                    field,
                    f"{field} seems to hold a credential ({', '.join(kinds)}): credentials are not stored; remove it",
                )
