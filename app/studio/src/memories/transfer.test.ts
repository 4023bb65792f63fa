import { describe, expect, it } from "vitest";
import type { MemoryRow } from "./memoryList";
import { exported, NoMemories, readMemories } from "./transfer";

const ROW = {
  id: "mem_1",
  content: "Ada prefers tabs",
  type: "PREFERENCE",
  kind: "FACTUAL",
  category: null,
  key: "tabs",
  tags: ["team:ada"],
  importance: 0.5,
  confidence: 0.9,
  metadata: { page: 3 },
  createdAt: "2026-03-01T10:00:00Z",
  expiresAt: null,
} as unknown as MemoryRow;

const problemOf = (file: string) => {
  try {
    readMemories(file);
  } catch (error) {
    if (error instanceof NoMemories) return [error.problem, error.line];
  }
  return undefined;
};

describe("a file of memories", () => {
  it("brings back what was exported, but for its id", () => {
    const [input] = readMemories(JSON.stringify([exported(ROW)]));

    expect(input).toEqual({
      content: "Ada prefers tabs",
      key: "tabs",
      type: "PREFERENCE",
      kind: "FACTUAL",
      tags: ["team:ada"],
      importance: 0.5,
      confidence: 0.9,
      metadata: { page: 3 },
      timestamp: "2026-03-01T10:00:00Z",
      sourceType: "imported",
    });
  });

  it("may be texts alone, or a list within an object", () => {
    expect(readMemories('{"memories": ["one", "two"]}').map((each) => each.content)).toEqual(["one", "two"]);
  });

  it("is refused with what is wrong and where", () => {
    expect(problemOf("{")).toEqual(["notJson", undefined]);
    expect(problemOf('{"a": 1}')).toEqual(["notList", undefined]);
    expect(problemOf("null")).toEqual(["notList", undefined]);
    expect(problemOf('["one", {"text": "two"}]')).toEqual(["noContent", 2]);
    expect(problemOf('["one", null]')).toEqual(["noContent", 2]);
    expect(problemOf(JSON.stringify(new Array(10_001).fill("x")))).toEqual(["tooMany", undefined]);
  });
});
