import { describe, expect, it } from "vitest";
import { ChatFailed, failureIn, idsIn, textsIn } from "./eventStream";

const HEL = 'data: {"choices":[{"delta":{"content":"Hel"}}]}';
const LO = 'data: {"choices":[{"delta":{"content":"lo"}}]}';

async function texts(...pieces: string[]): Promise<string[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const piece of pieces) stream.enqueue(new TextEncoder().encode(piece));
      stream.close();
    },
  });
  const found: string[] = [];
  for await (const text of textsIn(body)) found.push(text);
  return found;
}

describe("a stream of events", () => {
  it("is read wherever its pieces end", async () => {
    expect(await texts(`${HEL}\r\n\r\nda`, LO.slice(2), "\n\n")).toEqual(["Hel", "lo"]);
  });

  it("brings text, and between it what is none", async () => {
    for (const event of [
      "",
      ": comment",
      "event: x",
      "data: [DONE]",
      'data: {"choices":[]}',
      'data: {"choices":[{"delta":{}}]}',
    ])
      expect(await texts(`${event}\n\n`, `${HEL}\n\n`)).toEqual(["Hel"]);
  });

  it("says why it was broken off", async () => {
    await expect(texts('data: {"error":{"message":"too long","code":"length"}}\n\n')).rejects.toThrow(
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

it("names the nodes that a header lists, none where there is none", () => {
  expect(idsIn("mem_1,a%2Cb,ent_%C3%A9")).toEqual(["mem_1", "a,b", "ent_é"]);
  expect(idsIn(null)).toEqual([]);
  expect(idsIn("")).toEqual([]);
});
