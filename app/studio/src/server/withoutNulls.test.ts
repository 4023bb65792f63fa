import { CombinedError, type OperationResult } from "urql";
import { expect, test } from "vitest";
import { withoutNulls } from "./withoutNulls";

const WHOLE = { engine: { state: "ready" }, workspace: null };

function dataOf(data: unknown, ...paths: (string | number)[][]): unknown {
  const graphQLErrors = paths.map((path) => ({ message: "not found", path }));
  const error = paths.length > 0 ? new CombinedError({ graphQLErrors }) : undefined;
  return withoutNulls({ data, error } as OperationResult).data;
}

test("what nothing failed of is shown, with the nulls that the types know", () => {
  expect(dataOf(WHOLE)).toBe(WHOLE);
});

test("what was refused as a whole has no data", () => {
  expect(dataOf(null, [])).toBeUndefined();
});

test("what failed at its root leaves nothing of the others, whose types know no null there", () => {
  expect(dataOf({ engine: WHOLE.engine, settings: null }, ["settings", "keys"])).toBeUndefined();
});

test("what failed within an answer leaves the rest", () => {
  expect(dataOf(WHOLE, ["engine", "jobs"])).toBe(WHOLE);
});
