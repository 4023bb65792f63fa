"""The users of a workspace, and their profiles."""

from datetime import datetime
from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, made_of, or_default
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.memories.users import models
from graph.operations.models import ErasureCounts
from graph.retrieval.profile import models as profiles
from graph.retrieval.profile.models import DEFAULT_TOKENS, ProfileSection
from graph.tenancy.models import Scope


@strawberry.type
class User(Shown[models.User]):
    """Somebody to whom memories, conversations or runs of a workspace belong."""

    id: strawberry.ID
    memories: int = strawberry.field(description="Number of stored ones, expired ones included.")
    conversations: int = strawberry.field(description="Number of stored ones.")
    runs: int = strawberry.field(description="Number of sequences: one for each session with actions.")
    since: datetime | None = strawberry.field(description="When the oldest of them was made.")
    last_used_at: datetime | None = strawberry.field(
        description="When one of them was recalled, changed, said or gone on with last."
    )


@strawberry.type
class Erasure:
    """Amount of data of a user, before an erasure."""

    user_id: strawberry.ID
    is_dry_run: bool = strawberry.field(description="True if it was only counted.")
    total: int
    memories: int = strawberry.field(description="Include deleted ones that are restorable.")
    versions: int = strawberry.field(description="Earlier texts of memories.")
    passages: int = strawberry.field(description="Vectors of parts of memories.")
    conversations: int
    messages: int
    episodes: int
    summaries: int
    distillations: int = strawberry.field(description="Texts that wait to be distilled, or were.")
    sequences: int = strawberry.field(description="Runs of agents.")
    actions: int = strawberry.field(description="Of these runs.")
    prompt_runs: int = strawberry.field(description="Records of answers.")
    api_keys: int = strawberry.field(description="Keys bound to the user, revoked ones included.")


strawberry.enum(ProfileSection)


@strawberry.type
class ProfileEntry(Shown[profiles.ProfileEntry]):
    """A current fact of a profile."""

    section: ProfileSection = strawberry.field(description="Section that it belongs to.")
    slots: list[str] = strawberry.field(
        description="Slots that it fills: home, employer, role, spouse, phone or e-mail; empty in other sections."
    )
    name: str | None = strawberry.field(
        description="Name of the project or person; null: only the text tells it."
    )
    text: str = strawberry.field(description="Text of the fact, for a model to read.")
    date: datetime = strawberry.field(description="Start of its validity, or else the time of the statement.")
    memory_id: strawberry.ID = strawberry.field(description="Memory that it comes from.")
    source_type: str = strawberry.field(description="Source of that memory, such as `api` or `extracted`.")
    source_conversation_id: strawberry.ID | None = strawberry.field(
        description="Conversation that the memory comes from."
    )
    source_message_id: strawberry.ID | None = strawberry.field(
        description="Message that the memory comes from."
    )
    workspace_id: strawberry.Private[str] = ""

    @strawberry.field
    async def memory(self, info: Info) -> Memory | None:
        """The memory that it comes from; null if it is gone."""
        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.memory_id))
        return Memory.of(found) if found else None


@strawberry.type
class Profile:
    """Who a user is, from current facts and without a language model."""

    user_id: strawberry.ID | None = strawberry.field(description="User; null: what belongs to no user.")
    entries: list[ProfileEntry] = strawberry.field(
        description="Facts: slots, preferences, projects, people, in that order."
    )
    text: str = strawberry.field(description="Facts as lines for a model to read; empty for none.")
    tokens: int = strawberry.field(description="Tokens of the text: a quarter of its characters.")
    left_out: int = strawberry.field(description="Number of facts that exceed maxTokens.")
    etag: str = strawberry.field(description="Hash of the profile, which changes only when its facts do.")

    @classmethod
    def of(cls, profile: profiles.Profile, workspace_id: str) -> "Profile":
        """Return the GraphQL form of a profile."""
        entries = [ProfileEntry.of(entry, workspace_id=workspace_id) for entry in profile.entries]
        return made_of(cls, profile, entries=entries)


@strawberry.type
class UserConnection(Connection[User]):
    """A page of users."""


@strawberry.type
class UserQueries:
    """Reading who the users are."""

    @strawberry.field
    async def users(
        self,
        info: Info,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        workspace_id: WorkspaceId = None,
    ) -> UserConnection:
        """The users to whom something belongs, by their ids; a bound key sees only its own."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.memories.users.page(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, User.of, after)
        return UserConnection(edges=edges, page_info=page_info)

    @strawberry.field
    async def user(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> User | None:
        """One user; null where nothing of theirs is kept."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.memories.users.find(workspace, id)
        return None if found is None else User.of(found)

    @strawberry.field
    async def profile(
        self,
        info: Info,
        user_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(
                description="User; defaults to that of the key, or else to what belongs to no user."
            ),
        ] = None,
        max_tokens: Annotated[
            int | None,
            strawberry.argument(
                description="Token budget of the text, at most 8000 and the setting maxTokens."
            ),
        ] = DEFAULT_TOKENS,
        workspace_id: WorkspaceId = None,
    ) -> Profile:
        """Who a user is: current slots, standing preferences, projects and people, each with source and date.

        It changes only when its facts do. What has ended and doubtful facts are not part of it. A user of whom nothing
        is known has an empty one.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        profiles_ = info.context.services.retrieval.profiles
        return Profile.of(await profiles_.get(workspace, user_id, max_tokens=max_tokens), workspace)


@strawberry.type
class UserMutations:
    """Erasing users; for administrators."""

    @strawberry.mutation
    async def erase_user(
        self,
        info: Info,
        user_id: strawberry.ID,
        dry_run: Annotated[
            bool | None,
            strawberry.argument(description="Only count; nothing is changed unless this is false."),
        ] = True,
        workspace_id: WorkspaceId = None,
    ) -> Erasure:
        """Erase all that belongs to a user permanently.

        Keys that are bound to the user are revoked at once; a job removes the rest: memories with versions and vectors,
        conversations, runs, working sets, and what names the user. It is done once a dry run
        counts nothing and there is no job of the kind ERASE.
        """
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        erasure, is_dry_run = info.context.services.operations.erasure, dry_run is not False
        counts: ErasureCounts = await (
            erasure.count(workspace, user_id) if is_dry_run else erasure.begin(workspace, user_id)
        )
        return Erasure(user_id=user_id, is_dry_run=is_dry_run, total=counts.total, **counts.model_dump())
