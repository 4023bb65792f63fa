"""The settings of memories and of the workers behind them."""

from typing import Literal

from pydantic import Field

from app.settings.group import SettingGroup


class MemorySettings(SettingGroup):
    """Limits and rules of memories."""

    new_workspaces: bool = False
    """Whether the memory of a new workspace is on, where its creation does not say; also of the default workspace.
    Where it is off, nothing is captured, extracted or recorded, and no chat is given anything, which costs tokens of
    each turn."""
    auto_summarize_long: bool = True
    """Shorten memories of more than 500 characters with the language model, if there is one; the original is kept."""
    classify_with_model: bool = False
    """Whether a language model, if there is one, names the type of a memory that no rule recognises. Off, since
    the save waits for its answer."""
    dedup_threshold: float = Field(0.95, gt=0, le=1)
    """Cosine above which a stored memory is compared word by word with a new one, which is not saved if they agree."""
    dedup_deadline_ms: int = Field(1500, ge=0, le=10_000)
    """How long a save waits for the vector it is compared by; past it the memory is saved and compared later."""
    dedup_on_post: bool = False
    """Whether AutoMem's ``POST /memory`` saves nothing either when a memory says the same; off: it saves what it is
    sent, and only the same ``id`` is the same memory."""
    secret_policy: Literal["reject", "warn", "off"] = "reject"  # noqa: S105 - what is done, no password
    """What happens to a memory that holds a password, key or token."""
    placeholder_vectors: bool = False
    """Whether a memory that has no vector yet keeps one that stands for nothing, beside the real ones: nothing is
    ever compared with it, and the real one takes its place."""
    id_format: Literal["auto", "mem", "uuid"] = "auto"
    """The form of new memories' ids: ``mem`` (``mem_`` and 24 characters), ``uuid``, or ``auto``: the form that the
    surface promises, ``mem`` for GraphQL. Every lookup takes either."""
    delete_mode: Literal["per_surface", "soft", "hard"] = "per_surface"
    """Whether each surface decides if a deleted memory can be restored (soft) or is gone (hard), or all do the same."""
    compaction_delete: Literal["soft", "hard"] = "soft"
    """Whether memories that a summary took the place of can be restored; ``delete_mode`` goes before it."""
    retention_days: int = Field(30, ge=0, le=365)
    """Older memories are left out of the surfaces of ``retention_applies_to``, but kept; 0: nothing is left out."""
    retention_applies_to: str = Field(
        "api_memory,injection_auto", pattern=r"^((api_memory|injection_auto|recall)(,|$))*$"
    )
    """Where the retention cuts: ``api_memory`` (the OmniRoute surface), ``injection_auto`` (memories extracted by
    themselves, when they are injected, unless they were said again or changed within that time), ``recall``
    (everywhere); separated by commas."""
    noted_actions: int = Field(10_000, ge=0, le=1_000_000)
    """How many calls of tools and writes may wait to be recorded as telemetry, which they are where memory is on; more
    are dropped and counted in ``/metrics``. 0: only what agents tell themselves is recorded."""


class WorkerSettings(SettingGroup):
    """How background work is taken."""

    inline: bool = True
    """Whether the API process works off jobs itself; off where ``recollect worker`` runs beside it."""
