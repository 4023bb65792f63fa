import { describe, expect, it } from "vitest";
import {
  type Hit,
  isBelow,
  movements,
  readSimulation,
  type Recalled,
  reasonsOf,
  thresholdOf,
  toRecallInput,
  USUAL,
  writeSimulation,
} from "./simulation";

const hit = (id: string) => ({ memory: { id } }) as Hit;

describe("a simulation in the address", () => {
  it("is read as it was written, both settings", () => {
    const simulation = {
      query: "who?",
      types: ["STYLE"],
      asOf: "2026-03-01",
      threshold: 0.25,
      first: { ...USUAL, strategy: "RRF", budget: 500 },
      second: { ...USUAL, limit: 3 },
    } as const;

    expect(readSimulation(writeSimulation(simulation, []))).toEqual(simulation);
  });

  it("is bounded by what the server takes", () => {
    const { first, threshold } = readSimulation(new URLSearchParams("limit=900&budget=-4&threshold=x"));

    expect([first.limit, first.budget, threshold]).toEqual([50, 0, 0]);
  });
});

describe("what is asked", () => {
  const simulation = readSimulation(new URLSearchParams("q=who"));

  it("leaves no trace, and no budget where none is set", () => {
    expect(toRecallInput(simulation, USUAL)).toEqual({
      query: "who",
      strategy: "HYBRID",
      limit: 10,
      diversity: 0,
      dryRun: true,
    });
  });

  it("joins by rank alone for RRF", () => {
    expect(toRecallInput(simulation, { ...USUAL, strategy: "RRF" })).toMatchObject({
      strategy: "HYBRID",
      fusion: "RRF",
    });
  });
});

it("leaves what a hit disagrees with to its links", () => {
  expect(reasonsOf(["closest in meaning", "matches move", "disagrees with “Tabs”"])).toEqual([
    "closest in meaning",
    "matches move",
  ]);
});

it("takes the calibrated threshold where none is set", () => {
  const recalled = { resolution: { threshold: 0.3 } } as Recalled;
  const weak = { relevance: 0.2 } as Hit;
  const simulation = readSimulation(new URLSearchParams("threshold=0.25"));

  expect(thresholdOf(simulation, recalled)).toBe(0.25);
  expect(thresholdOf({ ...simulation, threshold: 0 }, recalled)).toBe(0.3);
  expect([isBelow(weak, 0.3), isBelow(weak, 0.2), isBelow({ ...weak, relevance: null }, 1)]).toEqual([
    true,
    false,
    false,
  ]);
});

it("tells how far hits moved", () => {
  expect(movements([hit("a"), hit("b"), hit("c")], [hit("b"), hit("a")])).toEqual([1, -1, null]);
});
