import { describe, expect, it } from "vitest";
import { idsOf, NoTranscript, readTranscripts } from "./transcripts";

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

  it("comes back as it was copied, with headings of its own and the roles of names", () => {
    const copied =
      "### User\n\n    indented\n\n### Engine (assistant)\n\n## Step 1\n\n\\### Step 2\n\n\\\\### Step 3\n# End";

    expect(readTranscripts(copied)[0]?.messages).toEqual([
      { role: "USER", content: "    indented" },
      {
        role: "ASSISTANT",
        speaker: "Engine",
        content: "## Step 1\n\n### Step 2\n\n\\### Step 3\n# End",
      },
    ]);
  });

  it("has its speakers in the headings of roles, below its title and above its steps", () => {
    const exported = "# A chat\n\nOf March.\n\n## User\n\nHow?\n\n## Assistant\n\n### Step 1\n\nSo.";

    expect(readTranscripts(exported)[0]?.messages).toEqual([
      { role: "USER", content: "How?" },
      { role: "ASSISTANT", content: "### Step 1\n\nSo." },
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

describe("the id of a conversation that comes without one", () => {
  const ids = (...files: string[]) => idsOf(files.flatMap(readTranscripts));

  it("is the same when it has grown", () => {
    expect(ids("User: A\nAssistant: B")).toEqual(ids("User: A\nAssistant: B\nUser: C"));
    expect(ids("System: S\nUser: A\nAssistant: B")).toEqual(ids("System: S\nUser: A\nAssistant: B\nUser: C"));
  });

  it("is another where the first exchange is another, or others say it", () => {
    const greetings = [
      "User: Hi\nAssistant: A",
      "User: Hi\nAssistant: B",
      "Ada: Hi\nBob: A",
      "Ada: Hi\nCy: A",
    ];

    expect(new Set(greetings.flatMap((file) => ids(file))).size).toBe(greetings.length);
  });

  it("is numbered where two of a file begin alike, and is its own where it has one", () => {
    const [first, second, third] = ids(
      "User: Hi\nAssistant: A",
      "User: Hi\nAssistant: A\nUser: B",
      "User: Ho",
    );

    expect(second).toBe(`${first ?? ""}-2`);
    expect(third).toMatch(/^pasted-[0-9a-f]{16}$/);
    expect(idsOf([{ id: "c", messages: [] }])).toEqual(["c"]);
  });
});
