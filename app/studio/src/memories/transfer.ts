import type { SaveMemoryInput } from "../../generated/operations";
import { offerFile } from "../shell/offerFile";
import { FACETS, KINDS, TYPES } from "./filters";
import type { MemoryRow } from "./memoryList";
import { SOURCES } from "./sources";

const MOST = 10_000;
const MOMENT = /^\d{4}-\d{2}-\d{2}/;

/** Raised when a file holds no memories; `line` counts from 1. */
export class NoMemories extends Error {
  constructor(
    readonly problem: "notJson" | "notList" | "noContent" | "tooMany",
    readonly line?: number,
  ) {
    super(problem);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function moment(value: unknown): string | undefined {
  const written = text(value);
  return written !== undefined && MOMENT.test(written) && !Number.isNaN(Date.parse(written))
    ? written
    : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((each): each is string => text(each) !== undefined) : undefined;
}

function share(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}

function object(value: unknown): unknown {
  return typeof value === "object" && value !== null ? value : undefined;
}

function oneOf<T extends string>(all: readonly T[]): (value: unknown) => T | undefined {
  return (value) => all.find((each) => each === text(value)?.toUpperCase());
}

/** How each field is read that a memory has and that can be saved with it; `undefined` where it is not that. */
const READERS = {
  content: text,
  key: text,
  category: text,
  type: oneOf(TYPES),
  kind: oneOf(KINDS),
  facet: oneOf(FACETS),
  tags: texts,
  keywords: texts,
  importance: share,
  confidence: share,
  metadata: object,
  userId: text,
  agentId: text,
  sessionId: text,
  speaker: text,
  sourceType: (value: unknown) => SOURCES.find((each) => each === value),
  sourceConversationId: text,
  sourceMessageId: text,
  timestamp: moment,
  createdAt: moment,
  updatedAt: moment,
  lastAccessedAt: moment,
  tValid: moment,
  tInvalid: moment,
  expiresAt: moment,
} satisfies { [Name in keyof MemoryRow & keyof SaveMemoryInput]?: (value: unknown) => unknown };

const NAMES = Object.keys(READERS) as (keyof typeof READERS)[];
const SAID: ReadonlySet<string> = new Set(["api", "imported"]); // with a conversation, these bring a turn of it

function known(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Return what of a memory is written into a file. */
export function exported(row: MemoryRow): Record<string, unknown> {
  return known(Object.fromEntries(NAMES.map((name) => [name, row[name]])));
}

/** Offer rows as a file. */
export function download(rows: readonly MemoryRow[], name: string): void {
  offerFile(name, JSON.stringify(rows.map(exported), null, 2));
}

function inputOf(entry: unknown, line: number): SaveMemoryInput {
  const fields = (typeof entry === "string" ? { content: entry } : entry) as Record<string, unknown> | null;
  const content = text(fields?.content);
  if (fields === null || content === undefined) throw new NoMemories("noContent", line);
  const read = Object.fromEntries(NAMES.map((name) => [name, READERS[name](fields[name])]));
  const { createdAt, timestamp = createdAt, sourceType = "imported" } = read as Partial<SaveMemoryInput>;
  // a turn is stored as often as it is saved: a file that is imported twice would repeat the conversation
  const turn = SAID.has(String(sourceType)) && {
    sourceConversationId: undefined,
    sourceMessageId: undefined,
  };
  return { ...known({ ...read, timestamp, sourceType, ...turn }), content };
}

/**
 * Read what was exported: a list of memories, or an object that has one under `memories`; texts alone will do.
 *
 * @throws NoMemories - It is not that.
 */
export function readMemories(file: string): SaveMemoryInput[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(file);
  } catch {
    throw new NoMemories("notJson");
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { memories?: unknown } | null)?.memories;
  if (!Array.isArray(list)) throw new NoMemories("notList");
  if (list.length > MOST) throw new NoMemories("tooMany");
  return list.map((entry, index) => inputOf(entry, index + 1));
}
