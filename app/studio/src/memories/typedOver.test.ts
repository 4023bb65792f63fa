import { describe, expect, it } from "vitest";
import { takesBack, withText } from "./drafts";

describe("a text that is typed", () => {
  const typed = withText({}, "Ada prefers tabs", "Ada prefers spaces");

  it("takes something back where others wrote since it was begun", () => {
    const typedOn = withText(typed, "Ada prefers tabs!", "Ada prefers four spaces");

    expect(takesBack(typed, "Ada prefers spaces")).toBe(false);
    expect(takesBack(typedOn, "Ada prefers four spaces")).toBe(true);
  });

  it("takes nothing back where there is none, or others wrote the same", () => {
    expect(takesBack({}, "Ada prefers spaces")).toBe(false);
    expect(takesBack(typed, "Ada prefers tabs")).toBe(false);
  });
});
