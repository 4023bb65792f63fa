import type { Client } from "urql";
import { expect, test, vi } from "vitest";
import {
  ConversationsOfUserDocument,
  MemoriesOfUserDocument,
  MessagesOfConversationDocument,
} from "../../generated/operations";
import { keptOf } from "./exportUser";

vi.mock("../server/client", () => ({ reasonOf: () => undefined })); // it opens a socket of the browser

const page = (nodes: readonly unknown[], endCursor: string | null = null) => ({
  edges: nodes.map((node) => ({ node })),
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
});
const talk = { id: "c1", messages: page(["one", "two"], "m2") };
const ANSWERS = new Map<unknown, (after: string | null) => unknown>([
  [MemoriesOfUserDocument, (after) => ({ memories: after === null ? page(["a"], "a") : page(["b"]) })],
  [ConversationsOfUserDocument, () => ({ conversations: page([talk]) })],
  [
    MessagesOfConversationDocument,
    (after) => ({ conversation: { messages: after === "m2" ? page(["three"], "m3") : page(["four"]) } }),
  ],
]);
const client = {
  query: (document: unknown, { after }: { after: string | null }) =>
    Promise.resolve({ data: ANSWERS.get(document)?.(after) }),
} as unknown as Client;

test("what is kept of a user is taken out as a whole, long conversations too", async () => {
  expect(await keptOf(client, null, "dora")).toEqual({
    userId: "dora",
    memories: ["a", "b"],
    conversations: [{ id: "c1", messages: ["one", "two", "three", "four"] }],
  });
});
