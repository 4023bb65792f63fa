import { expect, it } from "vitest";
import { digestOf, newId } from "./ids";

it("makes ids of its own where the page is no secure one", () => {
  const ids = Array.from({ length: 100 }, newId);

  expect(new Set(ids).size).toBe(100);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
});

it("tells texts apart by FNV-1a", () => {
  // the vectors of draft-eastlake-fnv
  expect(digestOf("")).toBe("cbf29ce484222325");
  expect(digestOf("a")).toBe("af63dc4c8601ec8c");
  expect(digestOf("foobar")).toBe("85944171f73967e8");
});
