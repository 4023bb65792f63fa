"""Reads the facts of a user and builds a profile from them."""

from graph.conversations.extraction.service import Extraction
from graph.core.database import Database
from graph.core.ports import Clock
from graph.core.scope import SHARED, ReadScope, current_scope, narrowed, seeing
from graph.core.text.budget import effective_budget
from graph.core.text.checks import short_text
from graph.core.text.lucene import tag_query
from graph.core.text.work import TextWork
from graph.memories.changes.timeline import OTHER_PARTS
from graph.memories.tags import PINNED
from graph.retrieval import queries
from graph.retrieval.profile.models import DEFAULT_TOKENS, Profile
from graph.retrieval.profile.rules import PERSON, PROJECT, profile_of
from graph.tenancy.workspaces import Workspaces

_MOST_FACTS = 1000  # more than the largest budget has room for
_NEWEST = 3000  # memories among which people and projects are looked for
_FACTS_OF_ANY, _TOKENS_OF_A_FACT = 200, 4  # what ended and what is said twice needs room beside what is shown


class Profiles:
    """Builds profiles of users; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        workspaces: Workspaces,
        extraction: Extraction,
        clock: Clock,
        text_work: TextWork,
    ) -> None:
        self._database = database
        self._workspaces = workspaces
        self._extraction = extraction
        self._clock = clock
        self._text_work = text_work

    async def get(
        self, workspace_id: str, user_id: str | None = None, *, max_tokens: int | None = None
    ) -> Profile:
        """Return the profile of a user: current slots, preferences, projects and people, each with its source.

        Equal facts give an equal profile. It omits facts that have ended, doubtful extracted facts, and facts outside
        the current scope. A user without facts has an empty profile.

        Args:
            workspace_id: Workspace of the user.
            user_id: User; None: the user of the current scope, or else memories without a user.
            max_tokens: Token budget, capped at 8000 and the workspace's limit; None: 1000.

        Raises:
            InvalidInput: The id is blank or too long.
            Forbidden: The current scope is bound to another user.
        """
        chosen = await self._workspaces.settings_of(workspace_id)
        budgets = (DEFAULT_TOKENS if max_tokens is None else max_tokens, chosen.max_tokens)
        budget = effective_budget(min(each for each in budgets if each is not None))
        with seeing(narrowed(ReadScope(user_id=short_text("userId", user_id)))):
            owner = current_scope().user_id
            facts = await queries.list_profile_facts(
                self._database,
                workspace_id=workspace_id,
                user_id=owner or SHARED,
                doubtful_below=self._extraction.least_confidence(chosen),
                other_parts=sorted(OTHER_PARTS),
                pinned_query=tag_query([], [PINNED], workspace_id),
                kinds=[PROJECT, PERSON],
                newest=_NEWEST,
                now=self._clock.now(),
                limit=min(_MOST_FACTS, _FACTS_OF_ANY + budget // _TOKENS_OF_A_FACT),
            )
        return await self._text_work.run(
            profile_of,
            owner,
            facts,
            budget,
            chars=sum(len(fact.content) for fact in facts),
        )
