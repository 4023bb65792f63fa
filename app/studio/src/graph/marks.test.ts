import { describe, expect, it } from "vitest";
import { markOf, marksOf, readMarks, writeMarks } from "./marks";

const ids = (count: number, prefix = "ent_") =>
  Array.from({ length: count }, (_, place) => `${prefix}${place}`);

describe("marks of nodes", () => {
  it("come back from an address as they were", () => {
    for (const count of [0, 1, 201, 5000]) {
      const marks = marksOf(ids(count));

      expect(readMarks(writeMarks(marks))).toEqual({ marks, isWhole: true });
    }
    expect(readMarks(writeMarks(new Set([0, 0x7f, 0x80, 0xffffffff]))).marks).toEqual(
      new Set([0, 0x7f, 0x80, 0xffffffff]),
    );
  });

  it("of 5,000 nodes take less than 21 kB of an address, which needs no escaping", () => {
    const text = writeMarks(marksOf(ids(5000)));

    expect(text.length).toBeLessThan(21_000);
    expect(encodeURIComponent(text)).toBe(text);
  });

  it("tell nodes apart", () => {
    const marks = marksOf(ids(5000));

    expect(marks.size).toBe(5000);
    expect(ids(5000, "mem_").filter((id) => marks.has(markOf(id)))).toEqual([]);
  });

  it("of an address that was cut say so", () => {
    const text = writeMarks(marksOf(ids(500)));

    for (const cut of [1, 2, 3, 4, 1000]) {
      const { marks, isWhole } = readMarks(text.slice(0, -cut));
      expect(isWhole).toBe(false);
      expect([...marks].every((mark) => marksOf(ids(500)).has(mark))).toBe(true);
    }
    expect(readMarks("5.§")).toEqual({ marks: new Set(), isWhole: false });
  });
});
