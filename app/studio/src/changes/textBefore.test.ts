import { expect, it } from "vitest";
import { textBefore } from "./textBefore";

it("finds the text that was replaced or merged", () => {
  expect(textBefore({ content: "likes olives", metadata: {} })).toBe("likes olives");
  expect(textBefore({ saved: { content: "ada likes tea" }, tags: [] })).toBe("ada likes tea");
});

it("finds none where there was none", () => {
  for (const before of [null, undefined, {}, { tags: ["x"] }, "text"])
    expect(textBefore(before)).toBeUndefined();
});
