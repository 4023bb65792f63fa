"""Users of a workspace, their profiles, and their erasure."""

from datetime import datetime
from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, made_of, or_default
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.memories import models
from graph.operations.models import ErasureCounts
from graph.retrieval.profile import models as profiles
from graph.retrieval.profile.models import DEFAULT_TOKENS, ProfileSection
from graph.tenancy.models import Scope


@strawberry.type
class User(Shown[models.User]):
    """An owner of memories, conversations or runs of a workspace."""

    id: strawberry.ID
    memories: int = strawberry.field(description="Number of memories, including expired ones.")
    deleted_memories: int = strawberry.field(description="Number of deleted memories that can be restored.")
    conversations: int = strawberry.field(description="Number of conversations.")
    runs: int = strawberry.field(description="Number of sequences: one for each session with actions.")
    since: datetime | None = strawberry.field(
        description="Time of creation of the user's oldest memory, conversation or run."
    )
    last_used_at: datetime | None = strawberry.field(
        description="Time of the last recall or change of a memory, message, or action of a run."
    )


@strawberry.type
class Erasure:
    """Amount of a user's data before an erasure."""

    user_id: strawberry.ID
    is_dry_run: bool = strawberry.field(
        description="True if the call only counted; false if it began the erasure."
    )
    total: int
    memories: int = strawberry.field(description="Number of memories, including restorable ones.")
    versions: int = strawberry.field(description="Number of earlier texts of memories.")
    passages: int = strawberry.field(description="Number of vectors of parts of memories.")
    conversations: int
    messages: int
    episodes: int
    summaries: int
    distillations: int = strawberry.field(description="Number of texts that wait for distillation.")
    sequences: int = strawberry.field(description="Number of runs of agents.")
    actions: int = strawberry.field(description="Number of actions of these runs.")
    prompt_runs: int = strawberry.field(description="Number of audit entries of answers.")
    api_keys: int = strawberry.field(description="Number of keys bound to the user, including revoked ones.")


strawberry.enum(ProfileSection)


@strawberry.type
class ProfileEntry(Shown[profiles.ProfileEntry]):
    """A current fact of a profile."""

    section: ProfileSection = strawberry.field(description="Section of the profile.")
    slots: list[str] = strawberry.field(
        description="Slots that the fact fills: home, employer, role, manager, spouse, phone or e-mail; "
        "empty in other sections."
    )
    name: str | None = strawberry.field(
        description="Name of the project or person; null if only the text contains it."
    )
    text: str = strawberry.field(description="Text of the fact, for a language model.")
    date: datetime = strawberry.field(
        description="Start of the fact's validity, or else the time of the statement."
    )
    memory_id: strawberry.ID = strawberry.field(description="Source memory.")
    source_type: str = strawberry.field(description="Source of the memory, such as `api` or `extracted`.")
    source_conversation_id: strawberry.ID | None = strawberry.field(
        description="Source conversation of the memory."
    )
    source_message_id: strawberry.ID | None = strawberry.field(description="Source message of the memory.")
    workspace_id: strawberry.Private[str] = ""

    @strawberry.field
    async def memory(self, info: Info) -> Memory | None:
        """Source memory; null if deleted."""
        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.memory_id))
        return Memory.of(found) if found else None


@strawberry.type
class Profile:
    """A user's profile, composed of current facts without a language model."""

    user_id: strawberry.ID | None = strawberry.field(
        description="User; null: memories that belong to no user."
    )
    entries: list[ProfileEntry] = strawberry.field(
        description="Facts: slots, preferences, projects, people, in that order."
    )
    text: str = strawberry.field(description="Facts as lines for a language model; empty if there are none.")
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
    """Queries of users and their profiles."""

    @strawberry.field
    async def users(
        self,
        info: Info,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        workspace_id: WorkspaceId = None,
    ) -> UserConnection:
        """Users who own data of the workspace, by id; a bound key sees only its own user."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.memories.users.page(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, User.of, after)
        return UserConnection(edges=edges, page_info=page_info)

    @strawberry.field
    async def user(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> User | None:
        """One user; null if the user owns no data."""
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
                description="User; defaults to the key's user, or else to memories that belong to no user."
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
        """Profile of a user: current slots, standing preferences, projects and people, with source and date.

        The profile changes only when its facts do, and omits ended and doubtful facts. It is empty for an unknown user.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        profiles_ = info.context.services.retrieval.profiles
        return Profile.of(await profiles_.get(workspace, user_id, max_tokens=max_tokens), workspace)


@strawberry.type
class UserMutations:
    """Mutations that erase users; for administrators."""

    @strawberry.mutation
    async def erase_user(
        self,
        info: Info,
        user_id: strawberry.ID,
        dry_run: Annotated[
            bool | None,
            strawberry.argument(description="Only count; false begins the erasure."),
        ] = True,
        workspace_id: WorkspaceId = None,
    ) -> Erasure:
        """Erase all data of a user permanently.

        Revokes the keys bound to the user immediately. A job deletes the rest: memories with versions and vectors,
        conversations, runs, working sets, and references to the user. The erasure is complete once a dry run counts 0
        and there is no job of the kind ERASE.
        """
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        erasure, is_dry_run = info.context.services.operations.erasure, dry_run is not False
        counts: ErasureCounts = await (
            erasure.count(workspace, user_id) if is_dry_run else erasure.begin(workspace, user_id)
        )
        return Erasure(user_id=user_id, is_dry_run=is_dry_run, total=counts.total, **counts.model_dump())
