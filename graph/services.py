"""All use cases of the engine, as surfaces and workers get them."""

from dataclasses import dataclass

from graph.access.service import Access
from graph.associations.service import Associations
from graph.core.database import Database
from graph.embeddings.service import Embeddings
from graph.jobs.service import Jobs
from graph.memories.service import Memories
from graph.ports import WakeUp
from graph.recall.service import Recall
from graph.status.service import Status
from graph.usage.service import Usage
from graph.workspaces.service import Workspaces


@dataclass(frozen=True)
class Services:
    """One of each; built once by ``app/bootstrap.py`` and shared by every request."""

    database: Database
    wake_up: WakeUp
    access: Access
    associations: Associations
    embeddings: Embeddings
    jobs: Jobs
    memories: Memories
    recall: Recall
    status: Status
    usage: Usage
    workspaces: Workspaces
