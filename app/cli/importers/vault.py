"""Reads a folder of Markdown notes, such as an Obsidian vault: a memory for each note, associations for their links.

A note that is longer than a memory may be becomes several, cut where headings or paragraphs begin.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from app.cli.importers.front_matter import split_front_matter
from app.cli.importers.models import Contents, LinkItem, Record, Remark, UnreadableFileError, read_item
from app.cli.importers.notes import Note, read_note
from graph.core.text.normal_forms import comparable, composed

_ENDINGS = frozenset({".md", ".markdown"})
_MOST_BYTES = 16 * 1024 * 1024


class _TooLongError(ValueError):
    """Raised when a file is longer than any note."""


def read_vault(path: Path, max_chars: int, *, content_chars: int = 2000) -> Contents:
    """Return the one part of a folder of notes, or of one note.

    Args:
        path: The folder or the file.
        max_chars: Not used: notes are no turns.
        content_chars: Maximum length of a memory.

    Raises:
        UnreadableFileError: There is no Markdown file.
    """
    del max_chars
    found = sorted(_files_below(path)) if path.is_dir() else [path]
    files = [file for file in found if file.suffix.lower() in _ENDINGS]
    if not files:
        raise UnreadableFileError("no note found; name a folder with Markdown files (.md), or one of them")
    root = path if path.is_dir() else path.parent
    others = [file.relative_to(root).as_posix() for file in found if file.suffix.lower() not in _ENDINGS]
    return Contents(_read(root, files, others, content_chars), has_links=True)


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield files; hidden files and folders, such as .obsidian and .trash, and links are passed over."""
    for path in folder.iterdir():
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path


def _read(root: Path, files: Sequence[Path], others: Sequence[str], content_chars: int) -> Iterator[Record]:
    notes: list[Note] = []
    for place in others:
        yield Remark(place, f"{PurePosixPath(place).suffix or 'other'} file, no note")
    for file in files:
        where = composed(file.relative_to(root).as_posix())  # some systems take accents apart
        try:
            notes.append(_read_file(file, where))
        except (OSError, UnicodeDecodeError, _TooLongError) as error:
            yield Remark(where, "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error))
            continue
        for left_out in notes[-1].left_out:
            yield Remark(where, left_out, "changed")
        if not notes[-1].text:
            yield Remark(where, "no text")
        yield from _memories(root.name, notes[-1], content_chars)
    resolve = _Resolver(notes)
    for note in notes:
        yield from _note_links(root.name, note, resolve, content_chars)


def _read_file(file: Path, where: str) -> Note:
    if file.stat().st_size > _MOST_BYTES:
        raise _TooLongError(f"longer than {_MOST_BYTES // 1024**2} MB")
    front_matter, body, left_out = split_front_matter(file.read_text("utf-8-sig"))
    return read_note(str(PurePosixPath(where).with_suffix("")), front_matter, body, left_out)


def _memories(vault: str, note: Note, content_chars: int) -> Iterator[Record]:
    for number, piece in enumerate(_pieces(note, content_chars), start=1):
        fields = {**note.fields, "content": piece, "key": _key(vault, note, number), "dedup": False}
        yield from read_item(_where(note, number), fields, max_chars=content_chars)


def _note_links(vault: str, note: Note, resolve: "_Resolver", content_chars: int) -> Iterator[Record]:
    key = _key(vault, note, 1)
    for number in range(2, len(_pieces(note, content_chars)) + 1):
        yield LinkItem(_where(note, number), _key(vault, note, number), key)
    for link in note.links:
        found = resolve.find(note, link)
        if found is None:
            yield Remark(note.place, "link to no note of the vault left out", "changed")
        elif found is not note:
            yield LinkItem(f"{note.place} → {link}", key, _key(vault, found, 1))


def _key(vault: str, note: Note, number: int) -> str:
    place = f"markdown/{vault}/{note.place}"
    return place if number == 1 else f"{place}#{number}"


def _where(note: Note, number: int) -> str:
    return note.place if number == 1 else f"{note.place} #{number}"


def _pieces(note: Note, most_chars: int) -> list[str]:
    """Return a note's text in pieces that fit, each below the note's title."""
    if not note.text:
        return []
    title = note.title[: most_chars // 4]
    has_title = note.text.lstrip("# ").startswith(title)
    if len(note.text) + len(title) + 2 <= most_chars:
        return [note.text if has_title else f"{title}\n\n{note.text}"]
    return [f"{title}\n\n{piece}" for piece in _cut(note.text, most_chars - len(title) - 2)]


def _cut(text: str, most_chars: int) -> list[str]:
    pieces: list[str] = []
    for block in _blocks(text, most_chars):
        begins_section = block.startswith("#")
        if pieces and not begins_section and len(pieces[-1]) + len(block) + 2 <= most_chars:
            pieces[-1] = f"{pieces[-1]}\n\n{block}"
        else:
            pieces.append(block)
    return pieces


def _blocks(text: str, most_chars: int) -> Iterator[str]:
    """Yield paragraphs, and of one that is too long the parts that fit."""
    for paragraph in text.split("\n\n"):
        rest = paragraph.strip()
        while len(rest) > most_chars:
            end = max(rest.rfind(mark, 0, most_chars) for mark in ("\n", ". ", " ")) + 1
            yield rest[: end or most_chars].strip()
            rest = rest[end or most_chars :].strip()
        if rest:
            yield rest


class _Resolver:
    """Finds the note that a link means: by path, else by name or alias, the shortest path first.

    Case is ignored, and so are accents where no note is called as the link is written.
    """

    def __init__(self, notes: Sequence[Note]) -> None:
        self._as_written = _Names(notes, lambda name: composed(name).lower())
        self._folded = _Names(notes, comparable)

    def find(self, note: Note, link: str) -> Note | None:
        """Return the note that a link of ``note`` means, or None."""
        return self._as_written.find(note, link) or self._folded.find(note, link)


class _Names:
    """The paths and names of notes in one form."""

    def __init__(self, notes: Sequence[Note], form: Callable[[str], str]) -> None:
        self._form = form
        self._by_place: Mapping[str, Note] = {form(note.place): note for note in notes}
        by_name: defaultdict[str, list[Note]] = defaultdict(list)
        for note in sorted(notes, key=lambda each: (each.place.count("/"), each.place)):
            for name in (note.place.rsplit("/", 1)[-1], note.title, *note.aliases):
                by_name[form(name)].append(note)
        self._by_name = by_name

    def find(self, note: Note, link: str) -> Note | None:
        """Return the note that a link of ``note`` means, or None."""
        path = self._form(link).removesuffix(".md")
        beside = PurePosixPath(self._form(note.place)).parent / path
        for place in (_normal(str(beside)), _normal(path)):
            if place in self._by_place:
                return self._by_place[place]
        found = self._by_name.get(path) or self._by_name.get(path.rsplit("/", 1)[-1])
        return found[0] if found else None


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
