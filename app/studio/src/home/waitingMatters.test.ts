import { describe, expect, it } from "vitest";
import type { DecisionsQuery, HomeQuery } from "../../generated/operations";
import { mattersOf } from "./waitingMatters";

const page = (count: number, hasNextPage = false) => ({
  edges: Array.from({ length: count }, () => ({ node: {} })),
  pageInfo: { hasNextPage },
});
const home = (suggestions: object, jobs: object) =>
  ({ deletionSuggestions: suggestions, failedJobs: jobs }) as unknown as HomeQuery;
const pairs = (contradictions: number, alike: number) =>
  ({
    contradictions: Array.from({ length: contradictions }, () => ({})),
    alikeEntities: Array.from({ length: alike }, () => ({})),
  }) as unknown as DecisionsQuery;
const counted = (...of: Parameters<typeof mattersOf>) => {
  const { count, isMore } = mattersOf(...of);
  return [count, isMore];
};

describe("what waits for a decision", () => {
  it("is counted where all of it is shown", () => {
    expect(counted(home(page(2), page(1)), pairs(10, 3))).toEqual([16, false]);
  });

  it("is more than is counted where a page or a pair follows", () => {
    expect(counted(home(page(20, true), page(0)), pairs(0, 0))).toEqual([20, true]);
    expect(counted(home(page(0), page(20, true)), pairs(0, 0))).toEqual([20, true]);
    expect(counted(home(page(0), page(0)), pairs(11, 0))).toEqual([10, true]);
    expect(counted(home(page(0), page(0)), pairs(0, 11))).toEqual([10, true]);
  });

  it("is not known while the pairs are not", () => {
    expect(counted(home(page(1), page(0)), undefined)).toEqual([1, true]);
  });
});
