"""``/v1/conversations/{id}/…``: capture, extraction and handoff of chats from other platforms."""

from datetime import datetime
from typing import Annotated, Any, Final, Self

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import JSONBody, Parameter
from pydantic import ConfigDict, Field, RootModel, ValidationError, model_validator

from app.surfaces.http.refusals import named_as
from app.surfaces.http.shapes import NOT_BLANK, Name, RequestModel, ResponseModel, shown_by, text_of
from app.surfaces.http.strict_json import MENDS_HALVES
from graph.conversations.capture.models import CaptureDraft, CaptureReport, MessageDraft, MessageRole
from graph.conversations.capture.rules import MOST_MESSAGES
from graph.conversations.handoffs.models import ConversationSummary, HandoffLanguage, Summariser
from graph.conversations.handoffs.wording import markdown
from graph.core.exact import Instant, Whole
from graph.core.models import Job, JobState
from graph.operations.services import Services
from graph.tenancy.models import Scope

_LARGEST_CAPTURE_BYTES: Final = 8 * 1024 * 1024
_SPOKEN: Final = {
    "agentId": "agent_id",
    "authorId": "author_id",
    "conversationId": "conversation_id",
    "saidAt": "said_at",
    "sessionId": "session_id",
    "userId": "user_id",
    "workspaceId": "workspace_id",
}
_OF_OPENAI: Final = frozenset(
    {
        "annotations",
        "audio",
        "function_call",
        "name",
        "reasoning_content",
        "refusal",
        "tool_call_id",
        "tool_calls",
    }
)
"""Fields of OpenAI's messages that are not stored."""
_ROLES_OF_OPENAI: Final = {"developer": MessageRole.SYSTEM, "function": MessageRole.TOOL}


class MessageToCapture(RequestModel):
    """One message; a request may mix messages with and without an id or a position.

    OpenAI's messages are accepted too: the texts of content parts are joined, and calls are ignored.

    Attributes:
        content: Markdown; a message with a null or blank text is skipped.
        id: The platform's id of the message; a known id updates that message.
        position: Index in the conversation, from 0.
        author_id: User who wrote it, if several share the conversation; facts about themselves belong to them.
    """

    content: str | None = None
    id: Name | None = None
    position: Whole | None = Field(None, ge=0, le=2**31 - 1)
    role: MessageRole | None = None
    speaker: Name | None = None
    session_id: Name | None = None
    said_at: Instant | None = None
    author_id: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_openai(cls, fields: Any) -> Any:
        if not isinstance(fields, dict):
            return fields
        message = {name: value for name, value in fields.items() if name not in _OF_OPENAI}
        role = message.get("role")
        if isinstance(role, str) and role in _ROLES_OF_OPENAI:
            message["role"] = _ROLES_OF_OPENAI[role]
        if isinstance(message.get("content"), list):
            message["content"] = text_of(message["content"])
        return message

    def draft(self) -> MessageDraft:
        """Return the message to capture."""
        return MessageDraft(**self.model_dump() | {"content": self.content or ""})


class UnreadableMessage(RootModel[Any]):
    """A message that does not match the schema; it is skipped with the reason."""

    def draft(self) -> MessageDraft:
        """Return the draft of a skipped message."""
        try:
            return MessageToCapture.model_validate(self.root).draft()
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "message"
            return MessageDraft(content="", unreadable=f"{where}: {first['msg']}")


class MessagesToCapture(RequestModel):
    """Messages of one conversation, in order; each message is stored once."""

    model_config = ConfigDict(json_schema_extra=shown_by("MessagesToCapture"))

    messages: list[Annotated[MessageToCapture | UnreadableMessage, Field(union_mode="left_to_right")]] = (
        Field(min_length=1, max_length=MOST_MESSAGES)
    )
    platform: Annotated[str, Field(min_length=1, max_length=64, json_schema_extra=NOT_BLANK)] | None = None
    title: Name | None = None
    user_id: Name | None = None
    agent_id: Name | None = None


class MessageLeftOut(ResponseModel):
    """A message that was skipped or stored truncated.

    Attributes:
        place: Index in the request, from 0.
        is_stored: True if its beginning and end were stored; false if nothing was.
    """

    place: int
    reason: str
    is_stored: bool


class Captured(ResponseModel):
    """Result of a capture.

    Attributes:
        added: Number of new messages.
        changed: Number of stored messages with a new text, position, author or time.
        known: Number of unchanged messages.
        left_out: Skipped messages (no text, unreadable, or a likely credential), and those over 32,000 characters, of
            which the first and last 16,000 were stored; all others were stored.
        skipped: Reason why nothing was captured; null otherwise.
    """

    model_config = ConfigDict(json_schema_extra=shown_by("Captured"))

    conversation_id: str
    added: int
    changed: int
    known: int
    left_out: list[MessageLeftOut]
    skipped: str | None

    @classmethod
    def of(cls, conversation_id: str, report: CaptureReport) -> Self:
        """Return the response of a capture."""
        return cls(conversation_id=conversation_id, **report.model_dump())


class ExtractionQueued(ResponseModel):
    """The job that extracts facts from the conversation."""

    model_config = ConfigDict(json_schema_extra=shown_by("ExtractionQueued"))

    conversation_id: str
    job_id: str
    state: JobState

    @classmethod
    def of(cls, job: Job) -> Self:
        """Return the response of an extraction request."""
        return cls(conversation_id=job.subject_id, job_id=job.id, state=job.state)


class TopicOfHandoff(ResponseModel):
    """Points that belong together."""

    topic: str
    points: list[str]


class HandoffSummary(ResponseModel):
    """Handoff summary of a conversation, in six sections and as one text.

    Attributes:
        language: Main language of the conversation.
        markdown: Sections with headings, for another chat.
        summarised_by: Author of the summary: a language model or the rules.
        fallback: Reason why the configured language model did not write it; null if it did or there is none.
        message_count: Number of messages that were read, at most 400.
    """

    model_config = ConfigDict(json_schema_extra=shown_by("HandoffSummary"))

    conversation_id: str
    language: HandoffLanguage
    user_background: list[str]
    project_topic: str
    current_status: list[str]
    key_information: list[TopicOfHandoff]
    open_items: list[str]
    continuation_point: str
    markdown: str
    summarised_by: Summariser
    fallback: str | None
    message_count: int
    updated_at: datetime

    @classmethod
    def of(cls, summary: ConversationSummary) -> Self:
        """Return the response of a handoff."""
        sections = summary.handoff.model_dump()
        return cls(**{**summary.model_dump(), **sections, "markdown": markdown(summary)})


ConversationId = Annotated[
    str, Parameter(max_length=512, description="The platform's id of the conversation.")
]


class ConversationRoutes(Controller):
    """Routes of conversations."""

    path = "/v1/conversations/{conversation_id:str}"
    tags = ("conversations",)

    @post(
        "/messages",
        status_code=200,
        request_max_body_size=_LARGEST_CAPTURE_BYTES,
        opt={MENDS_HALVES: True},
        summary="Capture messages",
    )
    async def capture(
        self,
        request: Request[Any, Any, State],
        state: State,
        conversation_id: ConversationId,
        data: JSONBody[MessagesToCapture],
    ) -> Captured:
        """Capture messages, each once. If memory is off, `skipped` states it."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        draft = CaptureDraft(
            conversation_id=conversation_id,
            platform=data.platform,
            title=data.title,
            user_id=data.user_id,
            agent_id=data.agent_id,
            messages=[each.draft() for each in data.messages],
        )
        with named_as(_SPOKEN):
            captured = await services.conversations.capture.append(workspace_id, draft)
        return Captured.of(captured.id, captured.capture or CaptureReport())

    @post("/extract", status_code=202, summary="Extract facts now")
    async def extract(
        self, request: Request[Any, Any, State], state: State, conversation_id: ConversationId
    ) -> ExtractionQueued:
        """Schedule the extraction of facts from the whole conversation, including less certain facts."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        with named_as(_SPOKEN):
            return ExtractionQueued.of(
                await services.conversations.extraction.request(workspace_id, conversation_id)
            )

    @post("/handoff-summary", status_code=200, summary="Hand a conversation over")
    async def hand_over(
        self, request: Request[Any, Any, State], state: State, conversation_id: ConversationId
    ) -> HandoffSummary:
        """Summarise the conversation, in its own language, for its continuation elsewhere."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        with named_as(_SPOKEN):
            return HandoffSummary.of(
                await services.conversations.handoffs.summarise(workspace_id, conversation_id)
            )
