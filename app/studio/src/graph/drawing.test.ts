import { describe, expect, it } from "vitest";
import { daysOf, endOf, kindCounts, narrowed, NOTHING, withFound } from "./drawing";

const node = (id: string, kind: "MEMORY" | "ENTITY", createdAt: string) => ({
  nodeId: id,
  kind,
  type: null,
  caption: id,
  node: { globalId: `ws_1:${id}`, createdAt },
});
const edge = (fromId: string, type: string, toId: string) => ({
  id: null,
  type,
  fromId,
  toId,
  strength: 0.5,
});
const FOUND = {
  nodes: [
    node("mem_1", "MEMORY", "2026-01-05T10:00:00Z"),
    node("mem_2", "MEMORY", "2026-02-01T10:00:00Z"),
    node("ent_1", "ENTITY", "2026-01-02T10:00:00Z"),
  ],
  edges: [
    edge("mem_1", "MENTIONS", "ent_1"),
    edge("mem_2", "MENTIONS", "ent_1"),
    edge("mem_2", "MENTIONS", "gone"),
  ],
};
const ALL = { hiddenIds: [], hiddenKinds: [] } as const;
const ids = (drawing: ReturnType<typeof narrowed>) => [...drawing.nodes.keys()];

describe("a drawing", () => {
  const drawing = withFound(withFound(NOTHING, [FOUND]), [FOUND]);

  it("has everything once, and no edge without both ends", () => {
    expect(ids(drawing)).toEqual(["mem_1", "mem_2", "ent_1"]);
    expect([...drawing.edges.keys()]).toEqual(["mem_1 MENTIONS ent_1", "mem_2 MENTIONS ent_1"]);
    expect(kindCounts(drawing)).toEqual([
      ["MEMORY", 2],
      ["ENTITY", 1],
    ]);
  });

  it("shows neither what is hidden nor its edges", () => {
    expect(ids(narrowed(drawing, { ...ALL, hiddenIds: ["mem_1"] }))).toEqual(["mem_2", "ent_1"]);
    expect(ids(narrowed(drawing, { ...ALL, hiddenIds: ["mem_1", "ent_1"] }))).toEqual(["mem_2"]);
    expect([...narrowed(drawing, { ...ALL, hiddenKinds: ["ENTITY"] }).edges]).toEqual([]);
  });

  it("is shown as of days from the first of the workspace or its own until today", () => {
    expect(daysOf(drawing, null, "2026-03-01T08:00:00Z")).toEqual(["2026-01-02", "2026-03-01"]);
    expect(daysOf(drawing, "2025-12-24T10:00:00Z", "2026-03-01T08:00:00Z")?.[0]).toBe("2025-12-24");
    expect(daysOf(NOTHING, "2026-03-01T07:00:00Z", "2026-03-01T08:00:00Z")).toBeNull();
    expect(endOf("2026-03-01")).toBe("2026-03-01T23:59:59.999Z");
    expect(endOf("")).toBeNull();
  });
});
