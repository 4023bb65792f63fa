"""Location of the built Studio, and the notice shown while there is none."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[2] / "studio"
"""Sources of the Studio; an installed package only has the build."""
BUILT: Final = SOURCES / "dist"
"""Vite's output: ``index.html``, and ``assets`` with a content hash in their names."""

_NOT_BUILT: Final = "The Studio is not built. `make studio` builds it; `recollect up` does so by itself."


@dataclass(frozen=True)
class Notice:
    """Notice shown at the address instead of the Studio.

    Attributes:
        text: A sentence or two, with names of commands between backticks.
        is_over: True if nothing changes without help; otherwise the page reloads automatically.
    """

    text: str
    is_over: bool = True


@dataclass
class Studio:
    """The built Studio of this process.

    Attributes:
        folder: Build of the Studio.
        notice: Page instead of the Studio, during a build or after its failure; None: the Studio.
    """

    folder: Path = BUILT
    notice: Notice | None = None

    def page(self) -> str | Notice:
        """Return ``index.html``, or what to say instead."""
        if self.notice is not None:
            return self.notice
        try:
            return (self.folder / "index.html").read_text(encoding="utf-8")
        except FileNotFoundError:
            return Notice(_NOT_BUILT)

    def asset(self, name: str, *, is_gzip_taken: bool) -> tuple[Path, bool] | None:
        """Return the file of a name and whether it is gzipped; None where there is none of it.

        Args:
            name: A name without folders.
            is_gzip_taken: Whether the caller accepts gzip.
        """
        plain, packed = self.folder / "assets" / name, self.folder / "assets" / f"{name}.gz"
        if not plain.is_file():
            return None
        return (packed, True) if is_gzip_taken and packed.is_file() else (plain, False)
