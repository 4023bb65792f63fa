"""LangGraph's ``BaseCheckpointSaver`` over Recollect; needs the extra ``langgraph``."""

import base64
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from .generated import (
    CheckpointFields,
    CheckpointWriteInput,
    RecollectClient,
    SaveCheckpointInput,
    SaveCheckpointWritesInput,
)
from .shared import SharedClient, Work

_PAGE = 20
"""How many checkpoints one request reads."""


class RecollectCheckpointer(BaseCheckpointSaver[int]):
    """Threads of LangGraph in a workspace of Recollect; safe for concurrent use, lives until it is closed.

    A checkpoint is kept whole, as LangGraph's serialiser writes it, at most 4 MiB; each call is one request. Nothing of
    it is searched, learnt from or found as a memory. Histories of ``DeltaChannel`` are read checkpoint by checkpoint.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        workspace_id: str | None = None,
        user_key: str | None = None,
        serde: SerializerProtocol | None = None,
        **options: Any,
    ) -> None:
        """Make a checkpointer.

        Args:
            base_url: Where the service is, such as ``http://127.0.0.1:8000``.
            api_key: A key that may read and write.
            workspace_id: Where threads lie; left out: the workspace of the key.
            user_key: What ``configurable`` names the user by whose a new thread is, such as ``user_id``: it goes with
                that user's erasure. Left out: threads are everybody's, or those of the user that the key is bound to.
            serde: LangGraph's serialiser; an ``EncryptedSerializer`` keeps states from whoever reads the store.
            options: As for ``Client``.
        """
        super().__init__(serde=serde)
        self._workspace_id = workspace_id
        self._user_key = user_key
        self._client = SharedClient(base_url, api_key, **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        self._client.close()

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return the checkpoint that a configuration names, or the latest of its thread; None where there is none.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return self._read(self._client.run(self._found(config)))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Do the same as :meth:`get_tuple` while other tasks go on."""
        return self._read(await self._client.arun(self._found(config)))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: Mapping[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints of a thread, or of all threads, the latest first; pages are read as they are needed.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        listing = self._listing(config, filter, before, limit)
        while not listing.is_done:
            yield from map(self._tuple, self._client.run(listing.page))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: Mapping[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Do the same as :meth:`list` while other tasks go on."""
        listing = self._listing(config, filter, before, limit)
        while not listing.is_done:
            for found in await self._client.arun(listing.page):
                yield self._tuple(found)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - states are kept whole
    ) -> RunnableConfig:
        """Save a checkpoint, in the place of one of its id; return the configuration that names it.

        Raises:
            ApiError: It is larger than 4 MiB, its thread another user's, or the service cannot be reached.
        """
        self._client.run(self._saved(config, checkpoint, metadata))
        return _config_of(*_place_of(config), checkpoint["id"])

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - states are kept whole
    ) -> RunnableConfig:
        """Do the same as :meth:`put` while other tasks go on."""
        await self._client.arun(self._saved(config, checkpoint, metadata))
        return _config_of(*_place_of(config), checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a task wrote on top of a checkpoint; again only errors, interrupts and the like are replaced.

        Raises:
            ApiError: It is larger than 4 MiB, its thread another user's, or the service cannot be reached.
        """
        if writes:
            self._client.run(self._saved_writes(config, writes, task_id, task_path))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Do the same as :meth:`put_writes` while other tasks go on."""
        if writes:
            await self._client.arun(self._saved_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        """Delete a thread with all its checkpoints permanently.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        self._client.run(self._deleted(thread_id))

    async def adelete_thread(self, thread_id: str) -> None:
        """Do the same as :meth:`delete_thread` while other tasks go on."""
        await self._client.arun(self._deleted(thread_id))

    # What is sent, made where the caller is: a serialiser may be anything.

    def _found(self, config: RunnableConfig) -> Work[CheckpointFields | None]:
        thread_id, namespace = _place_of(config)
        id_ = get_checkpoint_id(config)
        return lambda client: client.checkpoint(
            thread_id, namespace=namespace, id=id_, workspace_id=self._workspace_id
        )

    def _listing(
        self,
        config: RunnableConfig | None,
        filter_: Mapping[str, Any] | None,
        before: RunnableConfig | None,
        limit: int | None,
    ) -> "_Listing":
        configurable = config["configurable"] if config else {}
        return _Listing(
            self._workspace_id,
            thread_id=str(configurable["thread_id"]) if configurable else None,
            namespace=configurable.get("checkpoint_ns"),
            id_=get_checkpoint_id(config) if config else None,
            metadata=dict(filter_ or {}),
            before=get_checkpoint_id(before) if before else None,
            left=limit,
        )

    def _saved(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata
    ) -> Work[bool]:
        thread_id, namespace = _place_of(config)
        state_type, state = self.serde.dumps_typed(checkpoint)
        given = SaveCheckpointInput(
            thread_id=thread_id,
            namespace=namespace,
            checkpoint_id=checkpoint["id"],
            parent_id=get_checkpoint_id(config),
            state=_text_of(state),
            state_type=state_type,
            metadata=get_checkpoint_metadata(config, metadata),
            **self._owner(config),
        )
        return lambda client: client.save_checkpoint(given, workspace_id=self._workspace_id)

    def _saved_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> Work[int]:
        thread_id, namespace = _place_of(config)
        rows = []
        for place, (channel, value) in enumerate(writes):
            value_type, written = self.serde.dumps_typed(value)
            rows.append(
                CheckpointWriteInput(
                    position=WRITES_IDX_MAP.get(channel, place),
                    channel=channel,
                    value=_text_of(written),
                    value_type=value_type,
                )
            )
        given = SaveCheckpointWritesInput(
            thread_id=thread_id,
            namespace=namespace,
            checkpoint_id=config["configurable"]["checkpoint_id"],
            task_id=task_id,
            task_path=task_path,
            writes=rows,
            **self._owner(config),
        )
        return lambda client: client.save_checkpoint_writes(given, workspace_id=self._workspace_id)

    def _deleted(self, thread_id: str) -> Work[bool]:
        return lambda client: client.delete_thread(str(thread_id), workspace_id=self._workspace_id)

    def _owner(self, config: RunnableConfig) -> dict[str, Any]:
        user = config["configurable"].get(self._user_key) if self._user_key else None
        return {} if user is None else {"user_id": str(user)}

    def _read(self, found: CheckpointFields | None) -> CheckpointTuple | None:
        return None if found is None else self._tuple(found)

    def _tuple(self, found: CheckpointFields) -> CheckpointTuple:
        place = (found.thread_id, found.namespace)
        return CheckpointTuple(
            config=_config_of(*place, found.checkpoint_id),
            checkpoint=self._value(found.state_type, found.state),
            metadata=found.metadata,
            parent_config=_config_of(*place, found.parent_id) if found.parent_id else None,
            pending_writes=[
                (write.task_id, write.channel, self._value(write.value_type, write.value))
                for write in found.writes
            ],
        )

    def _value(self, type_: str, text: str) -> Any:
        return self.serde.loads_typed((type_, base64.b64decode(text)))


class _Listing:
    """One list, read page by page.

    Attributes:
        is_done: Whether nothing is left to be read.
    """

    def __init__(
        self,
        workspace_id: str | None,
        *,
        thread_id: str | None,
        namespace: str | None,
        id_: str | None,
        metadata: Mapping[str, Any],
        before: str | None,
        left: int | None,
    ) -> None:
        self._asked: dict[str, Any] = {
            "thread_id": thread_id,
            "namespace": namespace,
            "before": before,
            "metadata": metadata or None,
            "workspace_id": workspace_id,
        }
        self._id = id_
        self._left = left
        self._after: str | None = None
        self.is_done = left is not None and left <= 0

    async def page(self, client: RecollectClient) -> Sequence[CheckpointFields]:
        """Return the next page."""
        if self._id is not None:
            return await self._only_one(client, self._id)
        first = _PAGE if self._left is None else min(_PAGE, self._left)
        found = await client.checkpoints(first=first, after=self._after, **self._asked)
        self._after = found.page_info.end_cursor
        if self._left is not None:
            self._left -= len(found.edges)
        self.is_done = not found.page_info.has_next_page or not found.edges or self._left == 0
        return [edge.node for edge in found.edges]

    async def _only_one(self, client: RecollectClient, id_: str) -> Sequence[CheckpointFields]:
        self.is_done = True
        before, metadata = self._asked["before"], self._asked["metadata"] or {}
        found = await client.checkpoint(
            self._asked["thread_id"],
            namespace=self._asked["namespace"] or "",
            id=id_,
            workspace_id=self._asked["workspace_id"],
        )
        if found is None or (before is not None and id_ >= before):
            return []
        fits = all(found.metadata.get(name) == value for name, value in metadata.items())
        return [found] if fits else []


def _place_of(config: RunnableConfig) -> tuple[str, str]:
    """Return the thread and the namespace that a configuration names."""
    configurable = config["configurable"]
    return str(configurable["thread_id"]), configurable.get("checkpoint_ns") or ""


def _config_of(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": thread_id,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
        }
    }


def _text_of(state: bytes) -> str:
    return base64.b64encode(state).decode("ascii")
