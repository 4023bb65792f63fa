"""Renders profiles as text for models."""

from collections.abc import Sequence

from graph.core.text.language import is_chinese
from graph.core.text.prompts import as_data
from graph.retrieval.profile.models import SLOTS, ProfileEntry, ProfileSection

_HEADS = ("User profile:", "用户画像：")
_LABELS = {
    ProfileSection.PREFERENCE: ("Preference", "偏好"),
    ProfileSection.PROJECT: ("Project", "项目"),
    ProfileSection.PERSON: ("Person", "人物"),
}


def profile_text(entries: Sequence[ProfileEntry], left_out: int = 0) -> str:
    """Return a heading, a line per entry, and the number of omitted entries; empty if there are none at all."""
    if not entries and not left_out:
        return ""
    in_chinese = bool(entries) and all(is_chinese(entry.text) for entry in entries)
    more = f"另有{left_out}条未列出" if in_chinese else f"{left_out} more left out"
    lines = [_HEADS[in_chinese], *map(profile_line, entries)]
    return "\n".join([*lines, f"({more})"] if left_out else lines)


def profile_line(entry: ProfileEntry) -> str:
    """Return an entry as one line, with a label in the language of its text."""
    in_chinese = is_chinese(entry.text)
    if entry.section is ProfileSection.SLOT:
        label = ("、" if in_chinese else ", ").join(SLOTS[slot][in_chinese] for slot in entry.slots)
        label = label if in_chinese else label.capitalize()
    else:
        label = " ".join(filter(None, [_LABELS[entry.section][in_chinese], as_data(entry.name or "")]))
    date = "" if entry.is_dated else f" ({entry.date:%Y-%m-%d})"
    return f"- {label}{'：' if in_chinese else ': '}{entry.text}{date}"
