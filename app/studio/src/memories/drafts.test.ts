import { describe, expect, it } from "vitest";
import { draftName, forgetDrafts } from "./drafts";

/** What a browser's storage has, by its names. */
class Stored {
  constructor(public names: string[]) {}

  get length(): number {
    return this.names.length;
  }

  key(place: number): string | null {
    return this.names[place] ?? null;
  }

  removeItem(name: string): void {
    this.names = this.names.filter((each) => each !== name);
  }
}

describe("what was typed in a tab", () => {
  it("is gone once somebody signs out, and nothing else is", () => {
    const storage = new Stored([draftName("key-1", "add"), draftName("key-1", "chat.text.c"), "other"]);
    forgetDrafts(storage);

    expect(storage.names).toEqual(["other"]);
  });

  it("stays for the key that it was typed with", () => {
    const names = [draftName("key-1", "add"), draftName("key-12", "add"), "recollect.draft.add"];
    const storage = new Stored(names);
    forgetDrafts(storage, "key-1");

    expect(storage.names).toEqual([names[0]]);
  });
});
