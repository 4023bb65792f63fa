import type { MemoriesQuery, MemoryFilter, MemoryOrder, MemoryRowFragment } from "../../generated/operations";

export type MemoryRow = MemoryRowFragment;
export type MemoriesPage = MemoriesQuery["memories"];

/** The part of the list that is loaded. */
export interface MemoryList {
  readonly rows: readonly MemoryRow[];
  readonly total: number;
  readonly endCursor: string | null;
  readonly hasMore: boolean;
  readonly phase: "loading" | "more" | "ready" | "failed";
  readonly reason?: string | undefined;
  readonly meanwhile: readonly RowChange[] | null; // since rows were asked for; null: none are on their way
}

/** What somebody did to a row. */
type RowChange =
  | { readonly type: "put"; readonly row: MemoryRow }
  | { readonly type: "removed"; readonly id: string }
  | { readonly type: "returned"; readonly row: MemoryRow; readonly at: number }; // below 0: it was not in it

export type ListChange =
  | { readonly type: "asked"; readonly keepRows: boolean }
  | { readonly type: "askedMore" }
  | { readonly type: "first"; readonly page: MemoriesPage }
  | { readonly type: "next"; readonly page: MemoriesPage }
  | { readonly type: "failed"; readonly reason: string | undefined }
  | RowChange;

export const NOTHING: MemoryList = {
  rows: [],
  total: 0,
  endCursor: null,
  hasMore: false,
  phase: "loading",
  meanwhile: [],
};

/** Return whether a memory that others changed may now stand elsewhere, or be in the list only now or no longer. */
export function mayMove(
  list: MemoryList,
  id: string,
  { filter, orderBy }: { readonly filter: MemoryFilter; readonly orderBy: MemoryOrder },
): boolean {
  const isNarrowed = Object.keys(filter).length > 0;
  return isNarrowed || orderBy !== "CREATED_AT" || !list.rows.some((row) => row.id === id);
}

/** Return the list with rows that came, in which what happened meanwhile may not have happened yet. */
function withPage(list: MemoryList, page: MemoriesPage, before: readonly MemoryRow[]): MemoryList {
  const rows = new Map([...before, ...page.edges.map((edge) => edge.node)].map((row) => [row.id, row]));
  const came: MemoryList = {
    ...list,
    rows: [...rows.values()],
    total: page.totalCount,
    endCursor: page.pageInfo.endCursor ?? null,
    hasMore: page.pageInfo.hasNextPage,
    phase: "ready",
    reason: undefined,
    meanwhile: null,
  };
  return (list.meanwhile ?? []).reduce(withChange, came);
}

function without(list: MemoryList, id: string): MemoryList {
  const rows = list.rows.filter((row) => row.id !== id);
  return rows.length === list.rows.length ? list : { ...list, rows, total: Math.max(0, list.total - 1) };
}

function returned(list: MemoryList, row: MemoryRow, at: number): MemoryList {
  if (at < 0 || list.rows.some((each) => each.id === row.id)) return list;
  return { ...list, rows: list.rows.toSpliced(at, 0, row), total: list.total + 1 };
}

/** Return the list while it is loaded again: its rows stay, and until then no more of them are asked for. */
function askedAgain(list: MemoryList): MemoryList {
  if (list.rows.length > 0) return { ...list, phase: "more", reason: undefined, meanwhile: [] };
  return list.phase === "failed" ? NOTHING : { ...list, meanwhile: [] };
}

function withChange(list: MemoryList, change: RowChange): MemoryList {
  switch (change.type) {
    case "put":
      return { ...list, rows: list.rows.map((row) => (row.id === change.row.id ? change.row : row)) };
    case "removed":
      return without(list, change.id);
    case "returned":
      return returned(list, change.row, change.at);
  }
}

/** Return the list after a change: an answer of the server, or what somebody did to one of its rows. */
export function changeList(list: MemoryList, change: ListChange): MemoryList {
  switch (change.type) {
    case "asked":
      return change.keepRows ? askedAgain(list) : NOTHING;
    case "askedMore":
      return { ...list, phase: "more", meanwhile: [] };
    case "first":
      return withPage(list, change.page, []);
    case "next":
      return withPage(list, change.page, list.rows);
    case "failed":
      return { ...list, phase: "failed", reason: change.reason, meanwhile: null };
    default: {
      const changed = withChange(list, change);
      return list.meanwhile === null ? changed : { ...changed, meanwhile: [...list.meanwhile, change] };
    }
  }
}
