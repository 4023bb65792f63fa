import { describe, expect, it } from "vitest";
import { type Answer, type Connection, loadRows } from "./loadRows";

const MOST = 200;

/** Return what answers like a server with so many rows, and what it was asked. */
function serverWith(count: number, failsAt = -1) {
  const asked: [number, string | null][] = [];
  const ask = (missing: number, after: string | null): Promise<Answer<Connection<number>>> => {
    asked.push([missing, after]);
    if (asked.length === failsAt) return Promise.resolve({ reason: "busy" });
    const begin = after === null ? 0 : Number(after);
    const end = Math.min(begin + Math.min(missing, MOST), count);
    const edges = Array.from({ length: end - begin }, (_, place) => ({ node: begin + place }));
    return Promise.resolve({ page: { edges, pageInfo: { hasNextPage: end < count, endCursor: `${end}` } } });
  };
  return { ask, asked };
}

describe("rows that are loaded again", () => {
  it("come in as many pages as the server needs, until there are as many as before", async () => {
    const { ask, asked } = serverWith(1000);

    const { page } = await loadRows(450, null, ask);

    expect(page?.edges.map((edge) => edge.node)).toEqual(Array.from({ length: 450 }, (_, place) => place));
    expect(page?.pageInfo).toEqual({ hasNextPage: true, endCursor: "450" });
    expect(asked).toEqual([
      [450, null],
      [250, "200"],
      [50, "400"],
    ]);
  });

  it("are all there are where some were deleted meanwhile, and one page where none were there", async () => {
    const fewer = await loadRows(450, null, serverWith(210).ask);
    const none = serverWith(0);

    expect([fewer.page?.edges.length, fewer.page?.pageInfo.hasNextPage]).toEqual([210, false]);
    expect((await loadRows(0, null, none.ask)).page?.edges).toEqual([]);
    expect(none.asked).toEqual([[1, null]]);
  });

  it("are none, with the reason, where one page is refused", async () => {
    expect(await loadRows(450, null, serverWith(1000, 2).ask)).toEqual({ reason: "busy" });
  });
});
