import { describe, expect, it } from "vitest";
import { idOf, NoTranscript, readTranscripts } from "./transcripts";

describe("a conversation that comes in", () => {
  it("is a list of messages", () => {
    const file = JSON.stringify([
      { role: "user", content: "Hello" },
      { role: "assistant", content: [{ type: "text", text: "Hi" }] },
      { role: "assistant", content: "" },
    ]);

    expect(readTranscripts(file)).toEqual([
      {
        messages: [
          { id: null, role: "USER", content: "Hello" },
          { id: null, role: "ASSISTANT", content: "Hi" },
        ],
      },
    ]);
  });

  it("is one of several with their titles, and keeps ids where all messages have one", () => {
    const file = JSON.stringify({
      conversations: [
        { id: "c", title: "Plans", messages: [{ id: "1", role: "human", text: "A", saidAt: "2026-03-01" }] },
        {
          uuid: "d",
          chat_messages: [
            { sender: "human", text: "B", id: "1" },
            { sender: "assistant", text: "C" },
          ],
        },
      ],
    });

    expect(readTranscripts(file)).toEqual([
      {
        id: "c",
        title: "Plans",
        messages: [{ id: "1", role: "USER", content: "A", saidAt: "2026-03-01T00:00:00.000Z" }],
      },
      {
        id: "d",
        messages: [
          { id: null, role: "USER", content: "B" },
          { id: null, role: "ASSISTANT", content: "C" },
        ],
      },
    ]);
  });

  it("is a transcript as it is copied", () => {
    expect(readTranscripts("### User\n\nWhen: today?\n\n- a\n\n### Ada\n\nYes")[0]?.messages).toEqual([
      { role: "USER", content: "When: today?\n\n- a" },
      { role: "USER", speaker: "Ada", content: "Yes" },
    ]);
  });

  it("is a text in which speakers stand before colons", () => {
    const said = "User: I need two things\nfirst: bread\nAssistant: Noted.\n用户：谢谢";

    expect(readTranscripts(said)[0]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ["USER", "I need two things\nfirst: bread"],
      ["ASSISTANT", "Noted."],
      ["USER", "谢谢"],
    ]);
  });

  it("is refused where nobody says anything", () => {
    for (const nothing of ["", "Just some words", "{}", "[]", '[{"role": "user"}]'])
      expect(() => readTranscripts(nothing)).toThrow(NoTranscript);
  });
});

it("gets the same id when it has grown", async () => {
  const [short, long] = ["User: A\nAssistant: B", "User: A\nAssistant: B\nUser: C"].map(
    (file) => readTranscripts(file)[0] ?? { messages: [] },
  );

  expect(short && (await idOf(short))).toBe(long && (await idOf(long)));
  expect(await idOf({ id: "c", messages: [] })).toBe("c");
});
