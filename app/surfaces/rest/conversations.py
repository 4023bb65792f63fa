"""``/v1/conversations/{id}/…``: capture, extraction and handover for pages that show chats of others."""

from datetime import datetime
from typing import Annotated, Any, Final, Self

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import JSONBody, Parameter
from pydantic import ConfigDict, Field

from app.surfaces.rest.examples import shown_by
from app.surfaces.rest.field_names import named_as
from app.surfaces.rest.shapes import RequestModel, ResponseModel
from app.surfaces.rest.texts import NOT_BLANK, Content, Name
from graph.conversations.capture.models import CaptureDraft, CaptureReport, MessageDraft, MessageRole
from graph.conversations.capture.rules import MOST_MESSAGES
from graph.conversations.handoffs.models import ConversationSummary, HandoffLanguage, Summariser
from graph.conversations.handoffs.wording import markdown
from graph.core.exact import Instant, Whole
from graph.core.jobs.models import Job, JobState
from graph.operations.services import Services
from graph.tenancy.access.models import Scope

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


class MessageToCapture(RequestModel):
    """One message; all of a batch have an id or a position, or none of them.

    Attributes:
        content: Markdown.
        id: The platform's; the same id is the same message.
        position: Its place in the conversation, from 0.
        author_id: The user who says it, where several talk; what they tell of themselves becomes theirs.
    """

    content: Content
    id: Name | None = None
    position: Whole | None = Field(None, ge=0, le=2**31 - 1)
    role: MessageRole | None = None
    speaker: Name | None = None
    session_id: Name | None = None
    said_at: Instant | None = None
    author_id: Name | None = None


class MessagesToCapture(RequestModel):
    """Messages in the order in which they were said; what was sent before is stored once."""

    model_config = ConfigDict(json_schema_extra=shown_by("MessagesToCapture"))

    messages: list[MessageToCapture] = Field(min_length=1, max_length=MOST_MESSAGES)
    platform: Annotated[str, Field(min_length=1, max_length=64, json_schema_extra=NOT_BLANK)] | None = None
    title: Name | None = None
    user_id: Name | None = None
    agent_id: Name | None = None


class MessageLeftOut(ResponseModel):
    """A message that was not stored; ``place`` is its place in what was sent, from 0."""

    place: int
    reason: str


class Captured(ResponseModel):
    """What a capture did.

    Attributes:
        added: How many messages were new.
        changed: How many were stored with another text or place.
        known: How many were stored as they came.
        left_out: Those that are too long or seem to hold a credential; the others were stored.
        skipped: Why nothing was captured, where nothing was.
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
        """Return the answer of a capture."""
        return cls(conversation_id=conversation_id, **report.model_dump())


class ExtractionQueued(ResponseModel):
    """The job that reads the conversation for facts."""

    model_config = ConfigDict(json_schema_extra=shown_by("ExtractionQueued"))

    conversation_id: str
    job_id: str
    state: JobState

    @classmethod
    def of(cls, job: Job) -> Self:
        """Return the answer of a wish for extraction."""
        return cls(conversation_id=job.subject_id, job_id=job.id, state=job.state)


class TopicOfHandoff(ResponseModel):
    """Points that belong together."""

    topic: str
    points: list[str]


class HandoffSummary(ResponseModel):
    """What whoever goes on with a conversation must know, in six sections and as one text.

    Attributes:
        language: The conversation's.
        markdown: The sections under their headings, ready to be copied.
        summarised_by: A language model, or rules where there is none.
        fallback: Why rules wrote it although there is a language model.
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
        """Return the answer of a handover."""
        sections = summary.handoff.model_dump()
        return cls(**{**summary.model_dump(), **sections, "markdown": markdown(summary)})


ConversationId = Annotated[
    str, Parameter(max_length=512, description="The platform's id of the conversation.")
]


class ConversationRoutes(Controller):
    """Thin: each route hands over to the services."""

    path = "/v1/conversations/{conversation_id:str}"
    tags = ("conversations",)

    @post(
        "/messages",
        status_code=200,
        request_max_body_size=_LARGEST_CAPTURE_BYTES,
        summary="Capture messages",
    )
    async def capture(
        self,
        request: Request[Any, Any, State],
        state: State,
        conversation_id: ConversationId,
        data: JSONBody[MessagesToCapture],
    ) -> Captured:
        """Capture what was said; sent again, it is stored once. Where memory is off, `skipped` says so."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        draft = CaptureDraft(
            conversation_id=conversation_id,
            platform=data.platform,
            title=data.title,
            user_id=data.user_id,
            agent_id=data.agent_id,
            messages=[MessageDraft(**each.model_dump()) for each in data.messages],
        )
        with named_as(_SPOKEN):
            captured = await services.conversations.capture.append(workspace_id, draft)
        return Captured.of(captured.id, captured.capture or CaptureReport())

    @post("/extract", status_code=202, summary="Extract facts now")
    async def extract(
        self, request: Request[Any, Any, State], state: State, conversation_id: ConversationId
    ) -> ExtractionQueued:
        """Have the whole conversation read for facts, what is less sure kept as well."""
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
        """Sum the conversation up, in its own language, for whoever goes on with it elsewhere."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        with named_as(_SPOKEN):
            return HandoffSummary.of(
                await services.conversations.handoffs.summarise(workspace_id, conversation_id)
            )
