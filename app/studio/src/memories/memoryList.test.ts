import { describe, expect, it } from "vitest";
import { changeList, mayMove, type MemoryList, type MemoryRow, NOTHING } from "./memoryList";

const row = (id: string, content = id) => ({ id, content }) as MemoryRow;
const page = (ids: string[], hasNextPage: boolean) => ({
  edges: ids.map((id) => ({ node: row(id) })),
  pageInfo: { hasNextPage, endCursor: ids.at(-1) ?? null },
  totalCount: 5,
});
const ids = (list: MemoryList) => list.rows.map((each) => each.id);

describe("the list of memories", () => {
  const two = changeList(NOTHING, { type: "first", page: page(["a", "b"], true) });

  it("grows by a page without showing a row twice", () => {
    const list = changeList(two, { type: "next", page: page(["b", "c"], false) });

    expect(ids(list)).toEqual(["a", "b", "c"]);
    expect([list.hasMore, list.endCursor, list.total, list.phase]).toEqual([false, "c", 5, "ready"]);
  });

  it("shows a change of a row it has, and no other", () => {
    const list = changeList(two, { type: "put", row: row("b", "changed") });

    expect(list.rows.map((each) => each.content)).toEqual(["a", "changed"]);
    expect(ids(changeList(two, { type: "put", row: row("z") }))).toEqual(["a", "b"]);
  });

  it("is loaded again after a change by others that may have moved a row, or brought it into the list", () => {
    const all = { filter: {}, orderBy: "CREATED_AT" } as const;

    expect(mayMove(two, "a", all)).toBe(false);
    expect(mayMove(two, "z", all)).toBe(true);
    expect(mayMove(two, "a", { ...all, filter: { types: ["HABIT"] } })).toBe(true);
    expect(mayMove(two, "a", { ...all, orderBy: "IMPORTANCE" })).toBe(true);
  });

  it("counts a deletion once, also when it is told of it twice", () => {
    const once = changeList(two, { type: "removed", id: "a" });

    expect([ids(once), once.total]).toEqual([["b"], 4]);
    expect(changeList(once, { type: "removed", id: "a" })).toBe(once);
  });

  it("puts a row back where it was", () => {
    const without = changeList(two, { type: "removed", id: "a" });
    const list = changeList(without, { type: "returned", row: row("a"), at: 0 });

    expect([ids(list), list.total]).toEqual([["a", "b"], 5]);
    expect(changeList(list, { type: "returned", row: row("a"), at: 1 })).toBe(list);
  });

  it("is not given a row that it never had, such as one that was deleted beside it", () => {
    expect(changeList(two, { type: "returned", row: row("z"), at: -1 })).toBe(two);
  });

  it("keeps its rows while they are loaded again, and when that fails", () => {
    const asked = changeList(two, { type: "asked", keepRows: true });
    const failed = changeList(asked, { type: "failed", reason: "no" });

    expect([ids(asked), asked.phase]).toEqual([["a", "b"], "more"]);
    expect([ids(failed), failed.phase, failed.reason]).toEqual([["a", "b"], "failed", "no"]);
    expect(changeList(two, { type: "asked", keepRows: false })).toBe(NOTHING);
  });

  it("begins from nothing where it failed without rows and is asked again", () => {
    const failed = changeList(NOTHING, { type: "failed", reason: "no" });

    expect(changeList(failed, { type: "asked", keepRows: true })).toBe(NOTHING);
  });

  it("keeps what happened while it was loaded again, though what came is of before", () => {
    let list = changeList(two, { type: "asked", keepRows: true });
    list = changeList(list, { type: "removed", id: "a" });
    list = changeList(list, { type: "put", row: row("b", "changed") });
    list = changeList(list, { type: "first", page: page(["c", "a", "b"], true) });

    expect(list.rows.map((each) => each.content)).toEqual(["c", "changed"]);
    expect([list.total, list.meanwhile]).toEqual([4, null]);
  });

  it("keeps what happened while more of it was loaded, and nothing of before", () => {
    let list = changeList(two, { type: "removed", id: "c" });
    list = changeList(list, { type: "askedMore" });
    list = changeList(list, { type: "removed", id: "d" });
    list = changeList(list, { type: "next", page: page(["c", "d", "e"], false) });

    expect(ids(list)).toEqual(["a", "b", "c", "e"]);
  });

  it("shows once what moved from one page to the next while several were loaded", () => {
    const list = changeList(NOTHING, { type: "first", page: page(["a", "b", "b", "c"], false) });

    expect(ids(list)).toEqual(["a", "b", "c"]);
  });
});
