import { expect, it } from "vitest";
import { changed, type EngineSettings, type EngineStatus, partsOf } from "./parts";

const ENGINE = {
  embedder: { ready: true, signature: "static:potion:256", reason: null },
  vectors: { vecLoaded: true, embeddingSignature: "static:potion:256" },
  tiers: ["KEYWORD", "VECTOR"],
  vectorTier: { enabled: false, healthy: false, serves: false, reason: null },
} as unknown as EngineStatus;
const BROKEN = {
  ...ENGINE,
  embedder: { ready: false, signature: null, reason: "no model" },
  vectors: { ...ENGINE.vectors, vecLoaded: false },
  vectorTier: { ...ENGINE.vectorTier, enabled: true, reason: "it does not answer" },
} as EngineStatus;
const SETTINGS = {
  embeddingSource: "auto",
  rerankEnabled: false,
  rerankProviderModel: null,
} as unknown as EngineSettings;
const states = (engine: EngineStatus, settings?: EngineSettings) =>
  partsOf(engine, settings).map((part) => part.state);

it("tells what works, what fails and what is switched off", () => {
  expect(states(ENGINE, SETTINGS)).toEqual(["working", "working", "working", "off", "off"]);
  expect(states(BROKEN, SETTINGS)).toEqual(["working", "failing", "failing", "failing", "off"]);
  expect(partsOf(BROKEN, SETTINGS).map((part) => part.reason)).toContain("it does not answer");
  expect(states(BROKEN, { ...SETTINGS, embeddingSource: "none" }).slice(1, 3)).toEqual(["off", "off"]);
});

it("tells whoever may not see the settings what the engine itself says", () => {
  expect(partsOf(ENGINE, undefined).map((part) => part.name)).toEqual([
    "words",
    "embedding",
    "vectorStore",
    "qdrant",
  ]);
});

it("sends only what was changed", () => {
  expect(changed({ host: "a", port: 1 }, { host: "a", port: 2 })).toEqual({ port: 2 });
});
