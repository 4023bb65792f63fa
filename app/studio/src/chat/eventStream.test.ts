import { describe, expect, it } from "vitest";
import { ChatFailed, failureIn, Lines, textIn } from "./eventStream";

describe("a stream of events", () => {
  it("is cut into lines wherever its pieces end", () => {
    const lines = new Lines();

    expect(lines.take("data: a\r\nda")).toEqual(["data: a"]);
    expect(lines.take("ta: b")).toEqual([]);
    expect(lines.take("\n\n")).toEqual(["data: b", ""]);
  });

  it("brings text, and between it what is none", () => {
    expect(textIn('data: {"choices":[{"delta":{"content":"Hel"}}]}')).toBe("Hel");
    for (const line of [
      "",
      ": comment",
      "event: x",
      "data: [DONE]",
      'data: {"choices":[]}',
      'data: {"choices":[{"delta":{}}]}',
    ])
      expect(textIn(line)).toBe("");
  });

  it("says why it was broken off", () => {
    expect(() => textIn('data: {"error":{"message":"too long","code":"length"}}')).toThrow(
      new ChatFailed("too long", "length"),
    );
  });
});

it("tells of a refusal what the server says, or its status", () => {
  expect(
    failureIn('{"error":{"message":"no upstream","code":"upstream_not_configured"}}', "503"),
  ).toMatchObject({
    message: "no upstream",
    code: "upstream_not_configured",
  });
  expect(failureIn("<html>", "502 Bad Gateway").message).toBe("502 Bad Gateway");
});
