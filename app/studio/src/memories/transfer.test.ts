import { readFileSync } from "node:fs";
import {
  buildSchema,
  getNamedType,
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  isEnumType,
  isListType,
} from "graphql";
import { describe, expect, it } from "vitest";
import type { MemoryRow } from "./memoryList";
import { exported, NoMemories, readMemories } from "./transfer";

const SDL = readFileSync(new URL("../../../surfaces/graphql/schema.graphql", import.meta.url), "utf8");
const NEW_EACH_TIME = ["id"]; // what is imported is another memory than the one exported
const FITTING: Record<string, unknown> = {
  sourceType: "extracted",
  Float: 0.25,
  JSON: { page: 3 },
  DateTime: "2026-03-01T10:00:00Z",
};

/** Return a value for each field that a memory has and that can be saved, by its name or its type. */
function everyField(): Record<string, unknown> {
  const schema = buildSchema(SDL);
  const saved = (schema.getType("SaveMemoryInput") as GraphQLInputObjectType).getFields();
  const memory = (schema.getType("Memory") as GraphQLObjectType).getFields();
  const fitting = ({ name, type }: GraphQLInputField): unknown => {
    const one = getNamedType(type);
    const value = isEnumType(one)
      ? one.getValues()[0]?.name
      : (FITTING[name] ?? FITTING[one.name] ?? `a ${name}`);
    return isListType(getNullableType(type)) ? [value] : value;
  };
  return Object.fromEntries(
    Object.values(saved)
      .filter(({ name }) => name in memory && !NEW_EACH_TIME.includes(name))
      .map((field) => [field.name, fitting(field)]),
  );
}

const there = (fields: Record<string, unknown>) =>
  readMemories(JSON.stringify([exported(fields as unknown as MemoryRow)]));

const problemOf = (file: string) => {
  try {
    readMemories(file);
  } catch (error) {
    if (error instanceof NoMemories) return [error.problem, error.line];
  }
  return undefined;
};

describe("a file of memories", () => {
  it("brings back everything that was exported and can be saved, but for its id", () => {
    const fields = everyField();

    expect(Object.keys(fields)).toEqual(expect.arrayContaining(["userId", "agentId", "tValid", "timestamp"]));
    expect(there({ ...fields, id: "mem_1", usageCount: 3 })).toEqual([fields]);
  });

  it("leaves out what a memory does not have", () => {
    const row = {
      content: "Ada prefers tabs",
      key: null,
      userId: null,
      metadata: {},
      createdAt: "2026-03-01T10:00:00Z",
    };

    expect(there(row)).toEqual([
      {
        content: "Ada prefers tabs",
        metadata: {},
        createdAt: "2026-03-01T10:00:00Z",
        timestamp: "2026-03-01T10:00:00Z",
        sourceType: "imported",
      },
    ]);
  });

  it("leaves out a time that is none, for which the server would refuse all that is sent with it", () => {
    const [read] = there({
      content: "Ada prefers tabs",
      timestamp: "2026-13-01",
      expiresAt: "soon",
      tValid: "2026-03-01",
    });

    expect([read?.timestamp, read?.expiresAt, read?.tValid]).toEqual([undefined, undefined, "2026-03-01"]);
  });

  it("brings no conversation twice: what was said in one is imported by itself", () => {
    const turn = {
      content: "Hello",
      sourceType: "api",
      sourceConversationId: "chat-1",
      sourceMessageId: "m1",
    };

    expect(there(turn)).toEqual([{ content: "Hello", sourceType: "api" }]);
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
