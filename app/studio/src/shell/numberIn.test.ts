import { expect, test } from "vitest";
import { numberIn } from "./numberIn";

test("a number that is being typed counts where it is one within the bounds", () => {
  expect(["", "0", "0.", "0.7", "7", "-", -0.1].map((typed) => numberIn(typed, 0, 1))).toEqual([
    undefined,
    0,
    0,
    0.7,
    undefined,
    undefined,
    undefined,
  ]);
});
