import { describe, expect, it } from "vitest";
import { typedSince } from "./drafts";

describe("typedSince", () => {
  it("keeps what was typed while the rest was saved", () => {
    const saved: { content: string; tags: string[]; importance?: number } = {
      content: "Tabs",
      tags: ["pinned"],
    };

    expect(typedSince(saved, saved)).toEqual({});
    expect(typedSince({ ...saved, tags: [], importance: 0.7 }, saved)).toEqual({ tags: [], importance: 0.7 });
  });
});
