"""Vectors mirrored to Qdrant, the optional external tier. The extra ``qdrant``.

Points of each embedder live in a collection of their own, so that a change of the embedder never mixes them; the
configured name is an alias of the one in use. The payload is the one OmniRoute writes, and the workspace.
"""

import hashlib
import time
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

import httpx
from qdrant_client import AsyncQdrantClient
from qdrant_client import models as q
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException

from graph.ports import TierCleanup, TierFailed, TierHealth, TierPoint, TierScope

KIND: Final = "omniroute_memory"
MOST_HITS: Final = 20
INT8_QUANTILE: Final = 0.99
Quantization = Literal["none", "int8", "binary"]
_POINT_IDS: Final = uuid.UUID("6f6d6e69-726f-7574-656d-656d6f727900")
_IN_PROCESS: Final = (":memory:",)
_FAILURES: Final = (ApiException, ResponseHandlingException, httpx.HTTPError, ValueError, OSError)


class QdrantTier:
    """Fulfils ``graph.ports.VectorTier``; lives as long as the process.

    Raises ``TierFailed`` for whatever goes wrong with the server, so that recall takes the next tier and writes,
    which are repeated by the job that caused them, go on without.
    """

    def __init__(
        self,
        client: AsyncQdrantClient,
        *,
        collection: str,
        quantization: Quantization,
        url: str | None = None,
    ) -> None:
        """Prepare without asking the server.

        Args:
            client: A connected or in-process client.
            collection: Name of the alias.
            quantization: How new collections compress vectors.
            url: Base address for the health probe; None for an in-process client, which is always healthy.
        """
        self._client = client
        self._alias = collection
        self._quantization = quantization
        self._url = url
        self._made: set[str] = set()

    async def upsert(self, signature: str, points: Sequence[TierPoint]) -> None:
        """Write points of one embedder, making its collection at the first."""
        if not points:
            return
        try:
            name = await self._collection(signature, len(points[0].vector))
            await self._client.upsert(name, [_point(point) for point in points], wait=True)
        except _FAILURES as error:
            raise TierFailed(_reason(error)) from error

    async def delete(self, workspace_id: str, memory_ids: Sequence[str]) -> None:
        """Remove memories of one workspace, whichever embedder their vectors are of."""
        try:
            for name in await self._collections():
                chosen = _filter(TierScope(workspace_id), _one_of("memoryId", memory_ids))
                await self._client.delete(name, q.FilterSelector(filter=chosen), wait=True)
        except _FAILURES as error:
            raise TierFailed(_reason(error)) from error

    async def search(
        self, signature: str, scope: TierScope, vector: Sequence[float], top_k: int
    ) -> list[tuple[str, float]]:
        """Return ids of memories with their cosine, the nearest first; ``top_k`` is clamped to 1 … 20 (B20)."""
        name = self._name(signature)
        try:
            if name not in await self._collections():
                return []
            answer = await self._client.query_points(
                name,
                query=list(vector),
                query_filter=_filter(scope),
                limit=max(1, min(top_k, MOST_HITS)),
                search_params=self._search_params(),
                with_payload=["memoryId"],
            )
        except _FAILURES as error:
            raise TierFailed(_reason(error)) from error
        return [(point.payload["memoryId"], point.score) for point in answer.points if point.payload]

    async def cleanup(self, workspace_id: str, *, now: datetime, created_before: datetime) -> TierCleanup:
        """Remove what has expired or is older than the cut-off, and tell how much of each there was (B21)."""
        expired = q.FieldCondition(key="expiresAtUnix", range=q.Range(lte=now.timestamp()))
        old = q.FieldCondition(key="createdAtUnix", range=q.Range(lt=created_before.timestamp()))
        scope = TierScope(workspace_id)
        counted, aged = 0, 0
        try:
            for name in await self._collections():
                counted += (
                    await self._client.count(name, count_filter=_filter(scope, expired), exact=True)
                ).count
                only_old = _filter(scope, old, but_not=expired)
                aged += (await self._client.count(name, count_filter=only_old, exact=True)).count
                for chosen in (_filter(scope, expired), only_old):
                    await self._client.delete(name, q.FilterSelector(filter=chosen), wait=True)
        except _FAILURES as error:
            raise TierFailed(_reason(error)) from error
        return TierCleanup(expired=counted, old=aged)

    async def health(self) -> TierHealth:
        """Ask ``GET /readyz``; never raises (B22)."""
        start = time.perf_counter()
        error = None
        if self._url is not None:
            try:
                async with httpx.AsyncClient(timeout=3.0) as http:
                    (await http.get(f"{self._url}/readyz")).raise_for_status()
            except httpx.HTTPError as failure:
                error = _reason(failure)
        return TierHealth(error is None, round((time.perf_counter() - start) * 1000, 3), error)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _name(self, signature: str) -> str:
        return f"{self._alias}_{hashlib.sha256(signature.encode()).hexdigest()[:12]}"

    async def _collections(self) -> list[str]:
        listed = (await self._client.get_collections()).collections
        return [found.name for found in listed if found.name.startswith(f"{self._alias}_")]

    async def _collection(self, signature: str, dimension: int) -> str:
        name = self._name(signature)
        if name in self._made:
            return name
        if not await self._client.collection_exists(name):
            await self._client.create_collection(
                name,
                vectors_config=q.VectorParams(size=dimension, distance=q.Distance.COSINE),
                quantization_config=self._compression(),
            )
        for key in ("workspace_id", "kind", "memoryId", "apiKeyId", "sessionId"):
            await self._client.create_payload_index(name, key, q.PayloadSchemaType.KEYWORD)
        alias = q.CreateAlias(collection_name=name, alias_name=self._alias)
        await self._client.update_collection_aliases([q.CreateAliasOperation(create_alias=alias)])
        self._made.add(name)
        return name

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
    """Return a client and the address its health is probed at, which an in-process one does not have."""
    if host in _IN_PROCESS:
        return AsyncQdrantClient(location=host), None
    if host.startswith(("/", "./", "../")):
        return AsyncQdrantClient(path=host), None
    url = (host if "://" in host else f"http://{host}").rstrip("/") + f":{port}"
    seconds = max(1, round(timeout_seconds))
    return AsyncQdrantClient(url=url, api_key=api_key, timeout=seconds, check_compatibility=False), url


def _point(point: TierPoint) -> q.PointStruct:
    payload = {
        "memoryId": point.memory_id,
        "apiKeyId": point.api_key_id,
        "sessionId": point.session_id,
        "key": point.key,
        "content": point.content,
        "metadata": dict(point.metadata),
        "createdAtUnix": int(point.created_at.timestamp()),
        "expiresAtUnix": int(point.expires_at.timestamp()) if point.expires_at else None,
        "kind": KIND,
        "workspace_id": point.workspace_id,
    }
    id_ = uuid.uuid5(_POINT_IDS, f"{point.workspace_id}/{point.memory_id}")
    return q.PointStruct(id=str(id_), vector=list(point.vector), payload=payload)


def _filter(
    scope: TierScope, *further: q.FieldCondition, but_not: q.FieldCondition | None = None
) -> q.Filter:
    wanted = {
        "workspace_id": scope.workspace_id,
        "kind": KIND,
        "apiKeyId": scope.api_key_id,
        "sessionId": scope.session_id,
    }
    must = [
        q.FieldCondition(key=key, match=q.MatchValue(value=value))
        for key, value in wanted.items()
        if value is not None
    ]
    return q.Filter(must=[*must, *further], must_not=[but_not] if but_not else None)


def _one_of(key: str, values: Sequence[str]) -> q.FieldCondition:
    return q.FieldCondition(key=key, match=q.MatchAny(any=list(values)))


def _reason(error: Exception) -> str:
    return f"qdrant does not serve: {type(error).__name__}"
