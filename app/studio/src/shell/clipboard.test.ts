import { afterEach, describe, expect, it, vi } from "vitest";
import { copyText, NotCopied } from "./clipboard";

class Item {
  constructor(readonly parts: Record<string, Promise<Blob>>) {}
}

const written: string[] = [];

function withClipboard(clipboard: object): void {
  vi.stubGlobal("navigator", { clipboard });
  vi.stubGlobal("ClipboardItem", Item);
}

const willing = {
  writeText: (text: string) => Promise.resolve(void written.push(text)),
  write: async ([item]: [Item]) => {
    const blob = await item.parts["text/plain"];
    written.push((await blob?.text()) ?? "");
  },
};
const refusing = {
  writeText: () => Promise.reject(new Error("NotAllowedError")),
  write: () => Promise.reject(new Error("NotAllowedError")),
};

afterEach(() => {
  vi.unstubAllGlobals();
  written.length = 0;
});

describe("the clipboard", () => {
  it("takes a text, and one that is still on its way", async () => {
    withClipboard(willing);
    await copyText("here");
    await copyText(Promise.resolve("on its way"));

    expect(written).toEqual(["here", "on its way"]);
  });

  it("takes a text that is on its way where a browser knows no items", async () => {
    withClipboard(willing);
    Reflect.deleteProperty(globalThis, "ClipboardItem");
    await copyText(Promise.resolve("on its way"));

    expect(written).toEqual(["on its way"]);
    await expect(copyText(Promise.reject(new Error("the server is gone")))).rejects.toThrow(
      "the server is gone",
    );
  });

  it("says that the browser refuses", async () => {
    withClipboard(refusing);

    await expect(copyText("here")).rejects.toThrow(NotCopied);
    await expect(copyText(Promise.resolve("on its way"))).rejects.toThrow(NotCopied);
  });

  it("says why there is no text", async () => {
    withClipboard(willing);

    await expect(copyText(Promise.reject(new Error("the server is gone")))).rejects.toThrow(
      "the server is gone",
    );
  });
});
