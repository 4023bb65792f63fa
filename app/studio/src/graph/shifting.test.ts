import { expect, it } from "vitest";
import { beforeShift, shiftBetween } from "./shifting";

it("brings points of a picture to where they belong, and back", () => {
  const before = [
    { x: 100, y: 400 },
    { x: 300, y: 200 },
  ] as const;
  const after = [
    { x: 50, y: 700 },
    { x: 350, y: 400 },
  ] as const;
  const shift = shiftBetween(before, after);

  expect(shift).toEqual({ x: -100, y: 100, scale: 1.5 });
  expect(after.map((point) => beforeShift(point, shift))).toEqual(before);
});
