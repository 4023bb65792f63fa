"""Location of the built Studio, and the notice shown while there is none."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[2] / "studio"
"""What the Studio is built from; of an installed package only what was built."""
BUILT: Final = SOURCES / "dist"
"""What Vite writes: ``index.html``, and ``assets`` whose names hold a hash of their content."""

_NOT_BUILT: Final = "The Studio is not built. `make studio` builds it; `recollect up` does so by itself."


@dataclass(frozen=True)
class Notice:
    """Notice shown at the address instead of the Studio.

    Attributes:
        text: A sentence or two, with names of commands between backticks.
        is_over: Whether nothing will change by itself; the page is loaded again otherwise.
    """

    text: str
    is_over: bool = True


@dataclass
class Studio:
    """The built Studio of this process.

    Attributes:
        folder: What was built.
        notice: What is said instead, while it is built or where that failed; None: it is shown.
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
            is_gzip_taken: Whether the caller reads gzip.
        """
        plain, packed = self.folder / "assets" / name, self.folder / "assets" / f"{name}.gz"
        if not plain.is_file():
            return None
        return (packed, True) if is_gzip_taken and packed.is_file() else (plain, False)
