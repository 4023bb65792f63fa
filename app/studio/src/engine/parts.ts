import type { EngineSettingsQuery, EngineStateQuery } from "../../generated/operations";

export type EngineStatus = EngineStateQuery["engine"];
export type EngineSettings = EngineSettingsQuery["settings"];

type PartName = "words" | "embedding" | "vectorStore" | "qdrant" | "rerank";

/** Works; could work and does not; is switched off. */
type PartState = "working" | "failing" | "off";

export interface Part {
  readonly name: PartName;
  readonly state: PartState;
  readonly reason: string | null; // in the server's words
}

/**
 * Return how each part of the engine does, and why where it does not work.
 *
 * `settings` are shown to administrators only; without them nothing is said of what they alone decide.
 */
export function partsOf(engine: EngineStatus, settings: EngineSettings | undefined): Part[] {
  const { embedder, tiers, vectors, vectorTier } = engine;
  const isOff = settings?.embeddingSource === "none";
  const parts: Part[] = [
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
  ];
  if (settings !== undefined)
    parts.push({
      name: "rerank",
      state: settings.rerankEnabled ? "working" : "off",
      reason: settings.rerankProviderModel ?? null,
    });
  return parts;
}

/** Return what differs from what is in force, as it is sent. */
export function changed<Values extends object>(inForce: Values, draft: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => inForce[name as keyof Values] !== value),
  ) as Partial<Values>;
}
