// A page that uses every hook of @recollect/client/react, in a DOM without a browser; prints what the hooks return.
import { Window } from "happy-dom";
import { createElement, StrictMode } from "react";
import { Recollect, RecollectError, WorkspaceDocument } from "@recollect/client";
import {
  RecollectProvider,
  useConversation,
  useMemories,
  useRecall,
  useRecollect,
  useRecollectQuery,
  useSaveMemory,
} from "@recollect/client/react";

const window = new Window();
for (const [name, value] of Object.entries({
  window,
  document: window.document,
  navigator: window.navigator,
  IS_REACT_ACT_ENVIRONMENT: true,
})) {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}
// They look for a document as soon as they are loaded.
const { createRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");
const { act } = await import("react");

const { RECOLLECT_API_URL, RECOLLECT_API_KEY } = process.env as Record<string, string>;
const recollect = new Recollect(RECOLLECT_API_URL!, RECOLLECT_API_KEY!);

function usePage(query: string | null) {
  return {
    recall: useRecall(query === null ? null : { query, limit: 3 }),
    memories: useMemories({ first: 2 }),
    talk: useConversation("talk"),
    save: useSaveMemory(),
    workspace: useRecollectQuery(WorkspaceDocument, {}),
    client: useRecollect(),
  };
}

let seen: ReturnType<typeof usePage>;
function Page({ query }: { query: string | null }): null {
  seen = usePage(query);
  return null;
}

const root = createRoot(window.document.createElement("div") as unknown as HTMLElement);
function show(query: string | null): Promise<void> {
  const page = createElement(RecollectProvider, { client: recollect }, createElement(Page, { query }));
  return act(async () => root.render(createElement(StrictMode, null, page)));
}
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !holds(); tries += 1) {
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }
}
function print(...values: unknown[]): void {
  console.log(JSON.stringify(values));
}
async function save(content: string, importance = 0.5): Promise<unknown> {
  let saved: unknown;
  await act(async () => {
    saved = await seen.save.run({ input: { content, importance }, waitFor: "EMBEDDED" });
  });
  return saved;
}
async function say(content: string): Promise<void> {
  await act(async () => {
    await seen.talk.append([{ content, role: "USER" }]);
  });
}

await show(null);
await until(() => !seen.memories.isLoading && !seen.talk.isLoading && !seen.workspace.isLoading);
print("empty", seen!.memories.memories, seen!.memories.totalCount, seen!.talk.conversation, seen!.talk.messages);
print("idle", seen!.recall.isLoading, seen!.recall.data ?? null, seen!.client === recollect);
print("workspace", seen!.workspace.data?.workspace?.memoryEnabled);

await save("We indent with tabs");
await until(() => seen.memories.memories.length === 1);
print("saved", seen!.memories.memories.map(({ content }) => content), seen!.save.data?.saveMemory.outcome);

for (const content of ["Releases are cut on Thursdays", "Bees swarm in June", "Oslo has a new library"]) await save(content);
await until(() => seen.memories.totalCount === 4 && !seen.memories.isLoading);
print("page", seen!.memories.memories.length, seen!.memories.hasMore);
await act(async () => seen.memories.loadMore());
await until(() => seen.memories.memories.length === 4);
print("more", seen!.memories.hasMore);

await show("indentation style tabs");
print("asking", seen!.recall.isLoading, seen!.recall.data ?? null);
await until(() => !seen.recall.isLoading);
print("recalled", seen!.recall.data?.hits[0]?.memory.content);
await show("bees in June");
print("asking", seen!.recall.isLoading, seen!.recall.data ?? null);
await until(() => !seen.recall.isLoading);
print("recalled", seen!.recall.data?.hits[0]?.memory.content);

await say("yes");
await say("yes");
await until(() => seen.talk.messages.length === 2);
print("said", seen!.talk.messages.map(({ content }) => content), seen!.talk.conversation?.id, seen!.talk.leftOut);

print("refused", (await save("Tabs", 2)) ?? null, (seen!.save.error as RecollectError).code, seen!.save.isRunning);
await act(async () => root.unmount());
try {
  renderToString(createElement(Page, { query: null }));
} catch (error) {
  print("alone", (error as Error).message);
}
