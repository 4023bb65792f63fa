import { describe, expect, it } from "vitest";
import { allShown, countChosen, extended, NONE_CHOSEN, toggled, toSelection } from "./selection";

const SHOWN = ["a", "b", "c", "d"];
const chosen = (...ids: string[]) => ({ ids: new Set(ids), isAll: false });

describe("what is chosen of a list", () => {
  it("is one more or one less", () => {
    expect(toggled(NONE_CHOSEN, "b", SHOWN)).toEqual(chosen("b"));
    expect(toggled(chosen("a", "b"), "b", SHOWN)).toEqual(chosen("a"));
  });

  it("reaches from one to another, whichever way", () => {
    expect(extended(chosen("d"), "d", "b", SHOWN)).toEqual(chosen("b", "c", "d"));
    expect(extended(NONE_CHOSEN, "gone", "b", SHOWN)).toEqual(chosen("b"));
  });

  it("is all that are shown, and then none", () => {
    expect(allShown(chosen("a"), SHOWN)).toEqual(chosen(...SHOWN));
    expect(allShown(chosen(...SHOWN), SHOWN)).toEqual(NONE_CHOSEN);
    expect(allShown(NONE_CHOSEN, [])).toEqual(chosen());
  });

  it("may be all that match, also those that are not loaded, until one of them is left out", () => {
    const all = { ids: new Set(SHOWN), isAll: true };

    expect(countChosen(all, 900)).toBe(900);
    expect(toSelection(all, { text: "x" })).toEqual({ filter: { text: "x" } });
    expect(toggled(all, "c", SHOWN)).toEqual(chosen("a", "b", "d"));
  });

  it("goes to the server by ids", () => {
    expect(toSelection(chosen("a", "b"), { text: "x" })).toEqual({ ids: ["a", "b"] });
    expect(countChosen(chosen("a", "b"), 900)).toBe(2);
  });
});
