import type { MemoriesQuery, MemoryRowFragment } from "../../generated/operations";

export type MemoryRow = MemoryRowFragment;
type MemoriesPage = MemoriesQuery["memories"];

/** The part of the list that is loaded. */
export interface MemoryList {
  readonly rows: readonly MemoryRow[];
  readonly total: number;
  readonly endCursor: string | null;
  readonly hasMore: boolean;
  readonly phase: "loading" | "more" | "ready" | "failed";
  readonly reason?: string | undefined;
}

export type ListChange =
  | { readonly type: "asked"; readonly keepRows: boolean }
  | { readonly type: "askedMore" }
  | { readonly type: "first"; readonly page: MemoriesPage }
  | { readonly type: "next"; readonly page: MemoriesPage }
  | { readonly type: "failed"; readonly reason: string | undefined }
  | { readonly type: "put"; readonly row: MemoryRow }
  | { readonly type: "removed"; readonly id: string }
  | { readonly type: "returned"; readonly row: MemoryRow; readonly at: number }; // below 0: it was not in it

export const NOTHING: MemoryList = { rows: [], total: 0, endCursor: null, hasMore: false, phase: "loading" };

function withPage(list: MemoryList, page: MemoriesPage, before: readonly MemoryRow[]): MemoryList {
  const known = new Set(before.map((row) => row.id));
  const rows = page.edges.map((edge) => edge.node).filter((row) => !known.has(row.id));
  return {
    ...list,
    rows: [...before, ...rows],
    total: page.totalCount,
    endCursor: page.pageInfo.endCursor ?? null,
    hasMore: page.pageInfo.hasNextPage,
    phase: "ready",
    reason: undefined,
  };
}

function without(list: MemoryList, id: string): MemoryList {
  const rows = list.rows.filter((row) => row.id !== id);
  return rows.length === list.rows.length ? list : { ...list, rows, total: Math.max(0, list.total - 1) };
}

function returned(list: MemoryList, row: MemoryRow, at: number): MemoryList {
  if (at < 0 || list.rows.some((each) => each.id === row.id)) return list;
  return { ...list, rows: list.rows.toSpliced(at, 0, row), total: list.total + 1 };
}

/** Return the list after a change: an answer of the server, or what somebody did to one of its rows. */
export function changeList(list: MemoryList, change: ListChange): MemoryList {
  switch (change.type) {
    case "asked":
      return change.keepRows ? { ...list, reason: undefined } : NOTHING;
    case "askedMore":
      return { ...list, phase: "more" };
    case "first":
      return withPage(list, change.page, []);
    case "next":
      return withPage(list, change.page, list.rows);
    case "failed":
      return { ...list, phase: "failed", reason: change.reason };
    case "put":
      return { ...list, rows: list.rows.map((row) => (row.id === change.row.id ? change.row : row)) };
    case "removed":
      return without(list, change.id);
    case "returned":
      return returned(list, change.row, change.at);
  }
}
