import { describe, expect, it } from "vitest";
import { preferredLanguage } from ".";
import en from "./en.json";
import { relativeTime } from "./formats";
import zh from "./zh.json";

type Texts = Record<string, Record<string, string>>;

const flat = (texts: Texts) =>
  Object.entries(texts).flatMap(([room, named]) =>
    Object.entries(named).map(([name, text]) => [`${room}.${name}`, text] as const),
  );
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1]).sort();

describe("the languages", () => {
  it("have the same texts", () => {
    expect(flat(zh).map(([name]) => name)).toEqual(flat(en).map(([name]) => name));
  });

  it("fill in the same values", () => {
    const chinese = new Map(flat(zh));
    const isNumbered = /_(zero|one)$/; // "once" needs no number
    const wrong = flat(en).filter(
      ([name, text]) =>
        !isNumbered.test(name) && placeholders(chinese.get(name) ?? "").join() !== placeholders(text).join(),
    );

    expect(wrong).toEqual([]);
  });

  it("leave no text empty, and none of Chinese in English", () => {
    expect([...flat(en), ...flat(zh)].filter(([, text]) => text.trim() === "")).toEqual([]);
    expect(flat(en).filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
  });
});

it("prefers what was chosen, then what the browser asks for, then English", () => {
  expect(preferredLanguage("zh", ["en-GB"])).toBe("zh");
  expect(preferredLanguage(null, ["de-DE", "zh-Hans-CN", "en"])).toBe("zh");
  expect(preferredLanguage("xx", ["de-DE"])).toBe("en");
});

it("says how long ago in the largest unit", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  expect(relativeTime("2026-03-01T11:58:30Z", "en", now)).toBe("1 min. ago");
  expect(relativeTime("2026-03-01T12:00:00Z", "en", now)).toBe("now");
  expect(relativeTime("2026-03-04T12:00:00Z", "en", now)).toBe("in 3 days");
});
