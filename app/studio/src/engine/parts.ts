import type { EngineStateQuery } from "../../generated/operations";

export const PARTS = ["words", "embedding", "vectorStore", "qdrant", "rerank"] as const;
export type PartName = (typeof PARTS)[number];

/** Works; could work and does not; is switched off. */
export type PartState = "working" | "failing" | "off";

export interface Part {
  readonly name: PartName;
  readonly state: PartState;
  readonly reason: string | null; // in the server's words
}

/** Return how each part of the engine does, and why where it does not work. */
export function partsOf({ engine, settings }: EngineStateQuery): Part[] {
  const { embedder, tiers, vectors, vectorTier } = engine;
  const isOff = settings.embeddingSource === "none";
  return [
    { name: "words", state: tiers.length > 0 ? "working" : "failing", reason: null },
    {
      name: "embedding",
      state: embedder.ready ? "working" : isOff ? "off" : "failing",
      reason: embedder.ready ? (embedder.signature ?? null) : (embedder.reason ?? null),
    },
    {
      name: "vectorStore",
      state: vectors.vecLoaded ? "working" : isOff ? "off" : "failing",
      reason: vectors.embeddingSignature ?? null,
    },
    {
      name: "qdrant",
      state: !vectorTier.enabled ? "off" : vectorTier.healthy && vectorTier.serves ? "working" : "failing",
      reason: vectorTier.reason ?? null,
    },
    {
      name: "rerank",
      state: settings.rerankEnabled ? "working" : "off",
      reason: settings.rerankProviderModel ?? null,
    },
  ];
}

/** Return what differs from what is in force, as it is sent. */
export function changed<Values extends object>(inForce: Values, draft: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => inForce[name as keyof Values] !== value),
  ) as Partial<Values>;
}
