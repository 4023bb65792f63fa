import { expect, it } from "vitest";
import { MOST, partOf } from "./partOf";

const rows = (count: number) => Array.from({ length: count }, (_, place) => place);

it("shows a few of many rows, and tells where there are more", () => {
  expect(partOf(rows(20), 20, false)).toEqual({ rows: rows(20), isMore: false, isCut: false });
  expect(partOf(rows(21), 20, false)).toEqual({ rows: rows(20), isMore: true, isCut: false });
});

it("shows all that the server lists, and tells where it may know others", () => {
  expect(partOf(rows(99), 20, true)).toEqual({ rows: rows(99), isMore: false, isCut: false });
  expect(partOf(rows(MOST), 20, true)).toEqual({ rows: rows(MOST), isMore: false, isCut: true });
});
