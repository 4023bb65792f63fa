import { describe, expect, it } from "vitest";
import { type Piece, wordDifference } from "./wordDifference";

const marked = (pieces: readonly Piece[]) =>
  pieces.map(({ kind, text }) => ({ same: text, added: `+${text}+`, removed: `-${text}-` })[kind]).join("|");

describe("the difference of two wordings", () => {
  it("is told word by word", () => {
    expect(marked(wordDifference("Stand-up is at 9:30", "Stand-up is at 9:45 now"))).toBe(
      "Stand-up is at 9:|-30-|+45 now+",
    );
  });

  it("is told by characters where there are no spaces", () => {
    expect(marked(wordDifference("每周四发布", "每周五发布"))).toBe("每周|-四-|+五+|发布");
  });

  it("is nothing where nothing differs, and everything where all does", () => {
    expect(marked(wordDifference("same", "same"))).toBe("same");
    expect(marked(wordDifference("", "new"))).toBe("+new+");
    expect(marked(wordDifference("old", ""))).toBe("-old-");
  });

  it("holds both texts whole", () => {
    const [before, after] = ["a b c d, e", "b c x d e f"];
    const pieces = wordDifference(before, after);
    const textOf = (kind: Piece["kind"]) =>
      pieces
        .filter((piece) => piece.kind === "same" || piece.kind === kind)
        .map((piece) => piece.text)
        .join("");

    expect([textOf("removed"), textOf("added")]).toEqual([before, after]);
  });
});
