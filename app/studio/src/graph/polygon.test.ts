import { expect, it } from "vitest";
import { isWithin } from "./polygon";

const HORSESHOE = [
  { x: 0, y: 0 },
  { x: 6, y: 0 },
  { x: 6, y: 6 },
  { x: 4, y: 6 },
  { x: 4, y: 2 },
  { x: 2, y: 2 },
  { x: 2, y: 6 },
  { x: 0, y: 6 },
];

it("takes what lies within a line that is drawn around it, whatever its shape", () => {
  expect(isWithin({ x: 1, y: 5 }, HORSESHOE)).toBe(true);
  expect(isWithin({ x: 3, y: 1 }, HORSESHOE)).toBe(true);
  expect(isWithin({ x: 3, y: 5 }, HORSESHOE)).toBe(false);
  expect(isWithin({ x: 7, y: 1 }, HORSESHOE)).toBe(false);
});

it("takes nothing where no line was drawn", () => {
  expect(isWithin({ x: 0, y: 0 }, [])).toBe(false);
  expect(isWithin({ x: 1, y: 1 }, [{ x: 1, y: 1 }])).toBe(false);
});
