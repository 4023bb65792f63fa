import type { Root } from "hast";
import { describe, expect, it } from "vitest";
import { evidenceOf } from "./evidence";
import { markEvidence } from "./markedEvidence";

const marked = (text: string, ...contents: string[]) =>
  evidenceOf(
    text,
    contents.map((content, index) => ({ id: `m${index}`, content })),
  ).map(({ start, end, ids }) => [text.slice(start, end), ...ids]);

describe("the evidence of memories in a message", () => {
  it("is the sentence that has the most of their words", () => {
    const text = "Hello there! I prefer tabs in Python. We cut releases on Thursdays at 9.30, by the way.";

    expect(
      marked(text, "The user prefers tabs in Python", "Releases are cut on Thursdays", "Bob likes tea"),
    ).toEqual([
      ["I prefer tabs in Python.", "m0"],
      ["We cut releases on Thursdays at 9.30, by the way.", "m1"],
    ]);
  });

  it("may be the same for several", () => {
    expect(marked("I use vim and tmux daily", "The user uses vim", "The user uses tmux daily")).toEqual([
      ["I use vim and tmux daily", "m0", "m1"],
    ]);
  });

  it("is found in Chinese", () => {
    expect(marked("你好。我每周四发布新版本。谢谢！", "用户每周四发布新版本")).toEqual([
      ["我每周四发布新版本。", "m0"],
    ]);
  });

  it("is the sentence that names what they are about, however it is worded", () => {
    const statement = { id: "m", content: "The user dislikes flying", object: "aeroplanes" };
    const text = "Flying is fun for some. Keep me away from aeroplanes.";
    const [span] = evidenceOf(text, [statement]);

    expect(text.slice(span?.start, span?.end)).toBe("Keep me away from aeroplanes.");
  });
});

describe("the marks in a Markdown text", () => {
  it("go through what is emphasised and stay within a paragraph", () => {
    const paragraph = (...children: Root["children"]) =>
      ({ type: "element", tagName: "p", properties: {}, children }) as Root["children"][number];
    const text = (value: string) => ({ type: "text", value }) as const;
    const strong = { type: "element", tagName: "strong", properties: {}, children: [text("tabs")] } as const;
    const root: Root = {
      type: "root",
      children: [
        paragraph(text("Hi")),
        paragraph(text("Well. I prefer "), { ...strong, children: [text("tabs")] }, text(".")),
      ],
    };
    markEvidence([{ id: "a", content: "Ada prefers tabs" }])()(root);
    const flat = (node: Root | Root["children"][number]): string =>
      node.type === "text"
        ? node.value
        : "children" in node
          ? "tagName" in node && node.tagName === "mark"
            ? `[${node.children.map(flat).join("")}]${String(node.properties.dataMemories ?? "")}`
            : node.children.map(flat).join("")
          : "";

    expect(flat(root)).toBe("HiWell. [I prefer ][tabs][.]1");
  });

  it("are none where nothing was taken", () => {
    const root: Root = { type: "root", children: [{ type: "text", value: "Hello" }] };
    markEvidence([{ id: "a", content: "Ada prefers tabs" }])()(root);

    expect(root.children).toEqual([{ type: "text", value: "Hello" }]);
  });
});
