import { expect, it } from "vitest";
import type { EngineStateQuery } from "../../generated/operations";
import { changed, partsOf } from "./parts";

const STATE = {
  engine: {
    embedder: { ready: true, signature: "static:potion:256", reason: null },
    vectors: { vecLoaded: true, embeddingSignature: "static:potion:256" },
    tiers: ["KEYWORD", "VECTOR"],
    vectorTier: { enabled: false, healthy: false, serves: false, reason: null },
  },
  settings: { embeddingSource: "auto", rerankEnabled: false, rerankProviderModel: null },
} as unknown as EngineStateQuery;
const states = (state: EngineStateQuery) => partsOf(state).map((part) => part.state);

it("tells what works, what fails and what is switched off", () => {
  expect(states(STATE)).toEqual(["working", "working", "working", "off", "off"]);
  const { engine, settings } = STATE;
  const broken = {
    engine: {
      ...engine,
      embedder: { ready: false, signature: null, reason: "no model" },
      vectors: { ...engine.vectors, vecLoaded: false },
      vectorTier: { ...engine.vectorTier, enabled: true, reason: "it does not answer" },
    },
    settings,
  } as unknown as EngineStateQuery;
  expect(states(broken)).toEqual(["working", "failing", "failing", "failing", "off"]);
  expect(partsOf(broken).map((part) => part.reason)).toContain("it does not answer");
  const off = { ...broken, settings: { ...settings, embeddingSource: "none" } };
  expect(states(off).slice(1, 3)).toEqual(["off", "off"]);
});

it("sends only what was changed", () => {
  expect(changed({ host: "a", port: 1 }, { host: "a", port: 2 })).toEqual({ port: 2 });
});
