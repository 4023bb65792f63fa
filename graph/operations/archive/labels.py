"""Contents of an archive: every label of a workspace, either archived or with the reason why not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from graph.core.text.stemming import LANGUAGES
from graph.knowledge.ontology.names import SYSTEM_LABELS


@dataclass(frozen=True)
class LabelRule:
    """Identities of nodes of one label within a workspace.

    Attributes:
        identities: Sets of properties; two nodes that agree on all properties of one set are the same node. The first
            is the identity proper, the others are what the schema keeps unique beside it.
        owner: The property that holds the id of the node which this one is a part of.
        is_text: Whether it is made of its owner's text: an owner that is there has all of its own.
    """

    identities: tuple[tuple[str, ...], ...]
    owner: str | None = None
    is_text: bool = False


_ID: Final = (("id",),)
_ID_AND_KEY: Final = (("id",), ("key",))
_ID_AND_NAME: Final = (("id",), ("name",))

ARCHIVED: Final[Mapping[str, LabelRule]] = {
    "EntityType": LabelRule(_ID_AND_NAME),
    "RelationType": LabelRule(_ID_AND_NAME),
    "Connection": LabelRule(_ID),
    "Entity": LabelRule(_ID_AND_KEY),
    "EntityMerge": LabelRule(_ID),
    "Document": LabelRule(_ID_AND_KEY),
    "Chunk": LabelRule(_ID, owner="document_id", is_text=True),
    "Artifact": LabelRule(_ID_AND_KEY),
    "Conversation": LabelRule(_ID),
    "Message": LabelRule((("conversation_id", "id"),)),
    "Episode": LabelRule(_ID),
    "ConversationSummary": LabelRule((("conversation_id",),)),
    "Distillation": LabelRule(_ID),
    "Memory": LabelRule((("id",), ("user_id", "agent_id", "key"), ("dedup_key",))),
    "MemoryVersion": LabelRule((("memory_id", "version"),), owner="memory_id"),
    "Passage": LabelRule((("memory_id", "slot", "ordinal"),), owner="memory_id", is_text=True),
    "Tombstone": LabelRule(_ID),
    "AutomaticChange": LabelRule(_ID),
    "AgentSequence": LabelRule((("id",), ("user_id", "session_id"))),
    "AgentAction": LabelRule(_ID, owner="sequence_id"),
    "AgentTally": LabelRule((("action_type", "node_type"),)),
    "AgentFailure": LabelRule((("id",), ("action_type", "node_type", "error_code"))),
    "Metric": LabelRule((("name",), ("id",))),
    "AgentBenchmark": LabelRule((("metric", "day"),)),
    "PromptRun": LabelRule(_ID),
    "Setting": LabelRule((("key",),)),
}
"""Owners precede their nodes, in the order of writing and restoring an archive."""

REFERENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "EntityMerge": ("from_id", "into_id"),
    "AutomaticChange": ("subject_id", "cause_id", "other_ids"),
    "AgentAction": ("target_id",),
    "PromptRun": ("node_ids",),
}
"""Properties with ids of earlier nodes, which may exist under another id."""

BESIDE: Final = frozenset(
    {"Searchable", "AgentPattern", "_mem"} | {each.label for each in LANGUAGES.values()}
)
"""Additional labels of nodes beside their kind."""

LEFT_OUT: Final[Mapping[str, str]] = {
    "ApiKey": "a secret; keys are created again where an archive is restored",
    "Job": "work in progress; what a restored node still needs is asked for again",
    "EventWebhook": "it holds a secret; webhooks are registered again",
    "EventWebhookDelivery": "work in progress",
    "Workspace": "a member of its own: workspace.json",
    "AuditEntry": "the deployment's own, and about those who acted there",
    "SchemaVersion": "the deployment's own",
    "VectorIndexMeta": "the deployment's own",
    "VectorTierMeta": "the deployment's own",
}

RESERVED: Final = SYSTEM_LABELS | BESIDE
"""Names that no entity type in an archive may have."""
