"""Vectors mirrored to Qdrant, the optional external tier. The extra ``qdrant``.

Each deployment and embedder has its own collection, so that neither a change of the embedder nor a second deployment on
the same server mixes points. The configured name is an alias of the latest collection. The payload is OmniRoute's, with
the workspace and the user.
"""

import hashlib
import re
import time
import uuid
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import httpx
from qdrant_client import AsyncQdrantClient
from qdrant_client import models as q
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from app.client.loopback import is_here
from graph.core.ports import TierCleanup, TierFailed, TierHealth, TierPoint, TierRefused, TierScope

KIND: Final = "omniroute_memory"
PART_KIND: Final = "omniroute_memory_part"
"""Kind of points for parts of a long memory; a search for ``KIND`` alone returns each memory once."""
INT8_QUANTILE: Final = 0.99
Quantization = Literal["none", "int8", "binary"]
_POINT_IDS: Final = uuid.UUID("6f6d6e69-726f-7574-656d-656d6f727900")
_IN_PROCESS: Final = (":memory:",)
_READY_SECONDS: Final = 3.0
# A closed client raises RuntimeError, if the settings change during a request.
_FAILURES: Final = (
    ApiException, ResponseHandlingException, httpx.HTTPError, ValueError, OSError, RuntimeError,
)  # fmt: skip
_REFUSALS: Final = frozenset({400, 413, 422})  # malformed, too large, unprocessable


class QdrantTier:
    """Implements ``graph.core.ports.VectorTier``; lives as long as the process.

    It raises ``TierFailed`` for any failure of the server. Recall then uses the next tier, and a job repeats writes. It
    raises ``TierRefused`` if the server works but refuses the request.
    """

    def __init__(
        self,
        client: AsyncQdrantClient,
        *,
        collection: str,
        namespace: str,
        quantization: Quantization,
        url: str | None = None,
        api_key: str | None = None,
    ) -> None:
        """Prepare without a request to the server.

        Args:
            client: Client of a server or of an in-process store.
            collection: Name of the alias.
            namespace: Namespace of this deployment, part of the names of its collections.
            quantization: Compression of vectors.
            url: Base address for the health probe; None for an in-process store, which is always healthy.
            api_key: Key for the health probe.
        """
        self._client = client
        self._alias = collection
        self._namespace = namespace
        self._quantization = quantization
        self._url = url
        self._headers = {"api-key": api_key} if api_key else {}
        self._is_compressed_as_wanted = False

    async def prepare(self, signature: str, dimension: int) -> None:
        """Drop this deployment's collections; create an empty one with cosine distance, and point the alias to it."""
        name = self._name(signature)
        with _as_failures():
            for old in await self._collections():
                await self._client.delete_collection(old)
            await self._client.create_collection(
                name,
                vectors_config=q.VectorParams(size=dimension, distance=q.Distance.COSINE),
                quantization_config=self._compression(),
            )
            await self._index_payload(name)
            await self._point_alias_at(name)
        self._is_compressed_as_wanted = True

    async def holds(self, signature: str) -> bool:
        """Tell whether the collection exists."""
        with _as_failures():
            return await self._client.collection_exists(self._name(signature))

    async def upsert(self, signature: str, points: Sequence[TierPoint]) -> None:
        """Write points of one embedder, after deleting their old parts."""
        if not points:
            return
        name = self._name(signature)
        with _as_failures():
            await self._compress(name)
            for workspace_id in sorted({point.workspace_id for point in points}):
                ids = [point.memory_id for point in points if point.workspace_id == workspace_id]
                await self._delete(name, _filter(TierScope(workspace_id), _one_of(ids), kinds=(PART_KIND,)))
            structs = [struct for point in points for struct in _structs(point)]
            await self._client.upsert(name, structs, wait=True)

    async def delete(self, workspace_id: str, memory_ids: Sequence[str]) -> None:
        """Remove memories of one workspace, with their vectors of all embedders."""
        await self._delete_everywhere(_filter(TierScope(workspace_id), _one_of(memory_ids)))

    async def delete_workspace(self, workspace_id: str) -> None:
        """Remove every point of one workspace."""
        await self._delete_everywhere(_filter(TierScope(workspace_id)))

    async def search(
        self,
        signature: str,
        scope: TierScope,
        vector: Sequence[float],
        limit: int,
        *,
        with_parts: bool = True,
    ) -> list[tuple[str, float]]:
        """Return ids of memories with their cosine, the nearest first."""
        kinds = (KIND, PART_KIND) if with_parts else (KIND,)
        with _as_failures():
            answer = await self._client.query_points(
                self._name(signature),
                query=list(vector),
                query_filter=_filter(scope, kinds=kinds),
                limit=limit,
                search_params=self._search_params(),
                with_payload=["memoryId"],
            )
        return [(str(point.payload["memoryId"]), point.score) for point in answer.points if point.payload]

    async def cleanup(self, workspace_id: str, *, now: datetime, created_before: datetime) -> TierCleanup:
        """Remove expired memories and those older than the cut-off, and return both numbers."""
        expired = q.FieldCondition(key="expiresAtUnix", range=q.Range(lte=now.timestamp()))
        old = q.FieldCondition(key="createdAtUnix", range=q.Range(lt=created_before.timestamp()))
        scope = TierScope(workspace_id)
        counted, aged = 0, 0
        with _as_failures():
            for name in await self._collections():
                counted += await self._count(name, _filter(scope, expired, kinds=(KIND,)))
                aged += await self._count(name, _filter(scope, old, but_not=expired, kinds=(KIND,)))
                await self._delete(name, _filter(scope, expired))
                await self._delete(name, _filter(scope, old))
        return TierCleanup(expired=counted, old=aged)

    async def health(self) -> TierHealth:
        """Ask ``GET /readyz``; never raises."""
        start = time.perf_counter()
        error = None
        if self._url is not None:
            try:
                async with httpx.AsyncClient(
                    timeout=_READY_SECONDS, headers=self._headers, trust_env=not is_here(self._url)
                ) as http:
                    (await http.get(f"{self._url}/readyz")).raise_for_status()
            except httpx.HTTPError as failure:
                error = _reason(failure)
        return TierHealth(error is None, round((time.perf_counter() - start) * 1000, 3), error)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _name(self, signature: str) -> str:
        held = hashlib.sha256(signature.encode()).hexdigest()[:12]
        return f"{self._alias}_{self._namespace}_{held}"

    async def _collections(self) -> list[str]:
        """Return the collections of this deployment, without other names that share its prefix."""
        own = re.compile(rf"{re.escape(self._alias)}_{re.escape(self._namespace)}_[0-9a-f]{{12}}")
        return [name for name in await self._all_collections() if own.fullmatch(name)]

    async def _all_collections(self) -> list[str]:
        return [found.name for found in (await self._client.get_collections()).collections]

    async def _index_payload(self, name: str) -> None:
        if self._url is None:
            return  # in-process stores have no payload indexes
        tenant = q.KeywordIndexParams(type=q.KeywordIndexType.KEYWORD, is_tenant=True)
        await self._client.create_payload_index(name, "workspace_id", tenant)
        for key in ("kind", "memoryId", "apiKeyId", "sessionId", "userId"):
            await self._client.create_payload_index(name, key, q.PayloadSchemaType.KEYWORD)
        for key in ("createdAtUnix", "expiresAtUnix"):
            await self._client.create_payload_index(name, key, q.PayloadSchemaType.INTEGER)

    async def _point_alias_at(self, name: str) -> None:
        """Point the alias to the collection, unless a foreign collection has the name of the alias."""
        if self._alias in await self._all_collections():
            return
        create = q.CreateAlias(collection_name=name, alias_name=self._alias)
        await self._client.update_collection_aliases(
            [
                q.DeleteAliasOperation(delete_alias=q.DeleteAlias(alias_name=self._alias)),
                q.CreateAliasOperation(create_alias=create),
            ]
        )

    async def _compress(self, name: str) -> None:
        """Apply the current compression to a collection created with another setting, once per process."""
        if self._is_compressed_as_wanted:
            return
        compression = self._compression()
        if (await self._client.get_collection(name)).config.quantization_config != compression:
            await self._client.update_collection(
                name, quantization_config=compression if compression is not None else q.Disabled.DISABLED
            )
        self._is_compressed_as_wanted = True

    async def _delete_everywhere(self, chosen: q.Filter) -> None:
        with _as_failures():
            for name in await self._collections():
                await self._delete(name, chosen)

    async def _delete(self, name: str, chosen: q.Filter) -> None:
        await self._client.delete(name, q.FilterSelector(filter=chosen), wait=True)

    async def _count(self, name: str, chosen: q.Filter) -> int:
        return (await self._client.count(name, count_filter=chosen, exact=True)).count

    def _compression(self) -> q.ScalarQuantization | q.BinaryQuantization | None:
        if self._quantization == "int8":
            config = q.ScalarQuantizationConfig(
                type=q.ScalarType.INT8, quantile=INT8_QUANTILE, always_ram=True
            )
            return q.ScalarQuantization(scalar=config)
        if self._quantization == "binary":
            return q.BinaryQuantization(binary=q.BinaryQuantizationConfig(always_ram=True))
        return None

    def _search_params(self) -> q.SearchParams | None:
        if self._quantization == "none":
            return None
        return q.SearchParams(quantization=q.QuantizationSearchParams(rescore=True))


def open_qdrant(
    host: str, port: int, *, api_key: str | None, timeout_seconds: float
) -> tuple[AsyncQdrantClient, str | None]:
    """Return a client and the address of its health probe; None for an in-process store.

    Raises:
        TierFailed: The address is invalid.
    """
    with _as_failures():
        if host in _IN_PROCESS:
            return AsyncQdrantClient(location=host), None
        if host.startswith(("/", "./", "../")):
            return AsyncQdrantClient(path=host), None
        url = _url(host, port)
        seconds = max(1, round(timeout_seconds))
        with warnings.catch_warnings():
            # The client warns of an unencrypted key; inside one machine or network this is the operator's choice.
            warnings.simplefilter("ignore", UserWarning)
            client = AsyncQdrantClient(
                url=url,
                api_key=api_key,
                timeout=seconds,
                check_compatibility=False,
                trust_env=not is_here(url),  # passed on to httpx
            )
    return client, url


def _url(host: str, port: int) -> str:
    """Return the base address; a port in ``host`` overrides ``port``."""
    address = (host if "://" in host else f"http://{host}").rstrip("/")
    return address if urlsplit(address).port else f"{address}:{port}"


def _structs(point: TierPoint) -> Iterator[q.PointStruct]:
    """Yield the point of a memory and those of its parts."""
    common: dict[str, Any] = {
        "memoryId": point.memory_id,
        "apiKeyId": point.api_key_id,
        "sessionId": point.session_id,
        "createdAtUnix": int(point.created_at.timestamp()),
        "expiresAtUnix": int(point.expires_at.timestamp()) if point.expires_at else None,
        "workspace_id": point.workspace_id,
        "userId": point.user_id,
    }
    fields = {"key": point.key, "content": point.content, "metadata": dict(point.metadata), "kind": KIND}
    name = (point.workspace_id, point.memory_id)
    yield q.PointStruct(id=_point_id(*name), vector=list(point.vector), payload={**common, **fields})
    for ordinal, part in enumerate(point.parts, start=1):
        payload = {**common, "kind": PART_KIND}
        yield q.PointStruct(id=_point_id(*name, str(ordinal)), vector=list(part), payload=payload)


def _point_id(*names: str) -> str:
    return str(uuid.uuid5(_POINT_IDS, "\x1f".join(names)))


def _filter(
    scope: TierScope,
    *further: q.FieldCondition,
    but_not: q.FieldCondition | None = None,
    kinds: Sequence[str] = (KIND, PART_KIND),
) -> q.Filter:
    values = {
        "workspace_id": scope.workspace_id,
        "apiKeyId": scope.api_key_id,
        "sessionId": scope.session_id,
    }
    must = [
        q.FieldCondition(key=key, match=q.MatchValue(value=value))
        for key, value in values.items()
        if value is not None
    ]
    if scope.created_since is not None:
        since = q.Range(gte=int(scope.created_since.timestamp()))
        must.append(q.FieldCondition(key="createdAtUnix", range=since))
    kind = q.MatchValue(value=kinds[0]) if len(kinds) == 1 else q.MatchAny(any=list(kinds))
    must.append(q.FieldCondition(key="kind", match=kind))
    if scope.users is not None:
        must.append(q.FieldCondition(key="userId", match=q.MatchAny(any=list(scope.users))))
    return q.Filter(must=[*must, *further], must_not=[but_not] if but_not else None)


def _one_of(memory_ids: Sequence[str]) -> q.FieldCondition:
    return q.FieldCondition(key="memoryId", match=q.MatchAny(any=list(memory_ids)))


@contextmanager
def _as_failures() -> Iterator[None]:
    """Raise ``TierRefused`` if the server refuses a request of the block, and ``TierFailed`` for any other failure."""
    try:
        yield
    except _FAILURES as error:
        is_refusal = isinstance(error, UnexpectedResponse) and error.status_code in _REFUSALS
        raise (TierRefused if is_refusal else TierFailed)(_reason(error)) from error


def _reason(error: Exception) -> str:
    """Return the reason of a failure without the server's message, which may quote users' texts."""
    if isinstance(error, UnexpectedResponse):
        return f"qdrant does not serve: status {error.status_code}"
    cause = error.source if isinstance(error, ResponseHandlingException) else error
    return f"qdrant does not serve: {type(cause).__name__}"
