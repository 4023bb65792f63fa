import type { SaveMemoryInput } from "../../generated/operations";
import { offerFile } from "../shell/offerFile";
import { KINDS, TYPES } from "./filters";
import type { MemoryRow } from "./memoryList";

export const BATCH = 100; // memories sent at once
const MOST = 10_000;

/** Raised when a file holds no memories; `line` counts from 1. */
export class NoMemories extends Error {
  constructor(
    readonly problem: "notJson" | "notList" | "noContent" | "tooMany",
    readonly line?: number,
  ) {
    super(problem);
  }
}

/** Return what of a memory is written into a file. */
export function exported(row: MemoryRow): Record<string, unknown> {
  const { content, type, kind, category, key, tags, importance, confidence, metadata, createdAt, expiresAt } =
    row;
  const fields = {
    content,
    type,
    kind,
    category,
    key,
    tags,
    importance,
    confidence,
    metadata,
    createdAt,
    expiresAt,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Offer rows as a file. */
export function download(rows: readonly MemoryRow[], name: string): void {
  offerFile(name, JSON.stringify(rows.map(exported), null, 2));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function share(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}

function inputOf(entry: unknown, line: number): SaveMemoryInput {
  const fields = (typeof entry === "string" ? { content: entry } : entry) as Record<string, unknown> | null;
  const content = text(fields?.content);
  if (fields === null || content === undefined) throw new NoMemories("noContent", line);
  const tags = Array.isArray(fields.tags) ? fields.tags.filter((tag) => text(tag) !== undefined) : undefined;
  const input = {
    content,
    key: text(fields.key),
    category: text(fields.category),
    type: TYPES.find((type) => type === text(fields.type)?.toUpperCase()),
    kind: KINDS.find((kind) => kind === text(fields.kind)?.toUpperCase()),
    tags: tags as string[] | undefined,
    importance: share(fields.importance),
    confidence: share(fields.confidence),
    metadata: typeof fields.metadata === "object" ? fields.metadata : undefined,
    timestamp: text(fields.timestamp) ?? text(fields.createdAt),
    expiresAt: text(fields.expiresAt),
    sourceType: "imported",
  };
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as SaveMemoryInput;
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
