import { describe, expect, it } from "vitest";
import { isPinned } from "./pinning";

describe("isPinned", () => {
  it("reads tags as the server does", () => {
    expect(isPinned(["python", "Pinned"])).toBe(true);
    expect(isPinned(["pinned:rules"])).toBe(true);
    expect(isPinned(["pinned-board"])).toBe(false);
    expect(isPinned([])).toBe(false);
  });
});
