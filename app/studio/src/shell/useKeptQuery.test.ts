import { describe, expect, it } from "vitest";
import { keptOf } from "./useKeptQuery";

describe("what a query showed last", () => {
  const kept = { asked: "a", data: 1 };

  it("stays through a request that fails, and gives way to the next answer", () => {
    expect(keptOf(kept, "a", { asked: "a", data: undefined })).toBe(kept);
    expect(keptOf(kept, "a", { asked: "a", data: 2 })).toEqual({ asked: "a", data: 2 });
  });

  it("is not shown in answer to another question, nor is the answer to the one before", () => {
    expect(keptOf(kept, "b", { asked: "a", data: 1 })).toEqual({ asked: "b", data: undefined });
    expect(keptOf(kept, "b", { asked: "b", data: 3 })).toEqual({ asked: "b", data: 3 });
  });
});
