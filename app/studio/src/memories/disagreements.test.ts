import { expect, it } from "vitest";
import type { DisagreementsQuery } from "../../generated/operations";
import { disagreeing } from "./Disagreements";

type Hit = DisagreementsQuery["recall"]["hits"][number];

it("disagrees with what either of the two names", () => {
  const hit = (id: string, ...disagreesWith: string[]) =>
    ({ memory: { id }, disagreesWith }) as unknown as Hit;
  const hits = [hit("a", "b"), hit("b"), hit("c", "a"), hit("d", "b")];

  expect(disagreeing(hits, "a").map((row) => row.id)).toEqual(["b", "c"]);
  expect(disagreeing(hits, "d").map((row) => row.id)).toEqual(["b"]);
  expect(disagreeing(hits, "elsewhere")).toEqual([]);
});
