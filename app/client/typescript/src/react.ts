/** Hooks for React 18 and later. What one of them writes, the others of the same provider read again. */
import {
  createContext,
  createElement,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from "react";
import {
  AppendMessagesDocument,
  ConversationDocument,
  MemoriesDocument,
  MessagesDocument,
  RecallDocument,
  SaveMemoryDocument,
  type ConversationQuery,
  type MemoriesQuery,
  type MemoriesQueryVariables,
  type MessageInput,
  type MessagesQuery,
  type RecallQuery,
  type RecallQueryVariables,
  type SaveMemoryMutation,
  type SaveMemoryMutationVariables,
  type TypedDocumentString,
} from "./operations.js";
import type { Recollect } from "./recollect.js";

const PAGE = 100;

/** How a reading stands. */
export interface Reading {
  error: Error | undefined;
  isLoading: boolean;
  /** Ask again. */
  refetch: () => void;
}

/** What was asked: `data` belongs to what is asked now, and stays while it is read again. */
export interface Asked<Result> extends Reading {
  data: Result | undefined;
}

/** What is written once `run` is called. */
export interface Written<Result, Variables> {
  /** Resolves to the result, or to undefined where the service refuses, which `error` then tells. */
  run: (variables: Variables) => Promise<Result | undefined>;
  data: Result | undefined;
  error: Error | undefined;
  isRunning: boolean;
}

type Edge<Connection> = Connection extends { edges: readonly { node: infer Node }[] } ? Node : never;
/** A memory as `useMemories` lists it. */
export type ListedMemory = Edge<MemoriesQuery["memories"]>;
/** A message as `useConversation` lists it. */
export type ListedMessage = Edge<NonNullable<MessagesQuery["conversation"]>["messages"]>;
/** What `useMemories` lists. */
export interface Memories extends Reading {
  memories: ListedMemory[];
  totalCount: number | undefined;
  hasMore: boolean;
  loadMore: () => void;
}

/** What `useConversation` reads; `conversation` is null where there is none yet. */
export interface Conversation extends Reading {
  conversation: ConversationQuery["conversation"] | undefined;
  messages: ListedMessage[];
  /** Resolves to whether the service took them; one without an id gets one, so that it may repeat another. */
  append: (messages: MessageInput[]) => Promise<boolean>;
  /** Why nothing, or not all, of what was appended last is kept. */
  leftOut: string[];
  isAppending: boolean;
}

class Writes {
  private count = 0;
  private readonly listeners = new Set<() => void>();
  readonly current = (): number => this.count;
  readonly follow = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  note(): void {
    this.count += 1;
    for (const listener of this.listeners) listener();
  }
}

interface Provided {
  client: Recollect;
  writes: Writes;
}

const Context = createContext<Provided | null>(null);

/** Gives the hooks below it their client, which has to stay the same from one rendering to the next. */
export function RecollectProvider(props: { client: Recollect; children?: ReactNode }): ReactElement {
  const { client, children } = props;
  const provided = useMemo(() => ({ client, writes: new Writes() }), [client]);
  return createElement(Context.Provider, { value: provided }, children);
}

function useProvided(): Provided {
  const provided = useContext(Context);
  if (!provided) throw new Error("put a RecollectProvider around what uses Recollect's hooks");
  return provided;
}

/** The client of the provider. */
export function useRecollect(): Recollect {
  return useProvided().client;
}

interface Answer<Result> {
  key: string | null;
  data?: Result;
  error?: Error;
}

/** Ask what `key` stands for, and again after each write; null asks nothing. */
function useAsked<Result>(key: string | null, read: (client: Recollect) => Promise<Result>): Asked<Result> {
  const { client, writes } = useProvided();
  const written = useSyncExternalStore(writes.follow, writes.current, writes.current);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<Answer<Result>>({ key: null });
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (key === null) return undefined;
    let isCurrent = true;
    const take = (next: (before: Answer<Result>) => Answer<Result>): void => {
      if (!isCurrent) return;
      setAnswer(next);
      setReading(false);
    };
    setReading(true);
    read(client).then(
      (data) => take(() => ({ key, data })),
      (error: Error) => take((before) => ({ ...(before.key === key ? before : { key }), error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, key, written, asked]);
  const refetch = useCallback(() => setAsked((count) => count + 1), []);
  const own = answer.key === key ? answer : undefined;
  const isLoading = key !== null && (isReading || own === undefined);
  return { data: own?.data, error: own?.error, isLoading, refetch };
}

/** Ask any query of the package; variables of null ask nothing. */
export function useRecollectQuery<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | null,
): Asked<Result> {
  const key = variables === null ? null : `${document.toString()} ${JSON.stringify(variables)}`;
  return useAsked(key, (client) => client.execute(document, variables as Variables));
}

/** Send any mutation of the package. */
export function useRecollectMutation<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
): Written<Result, Variables> {
  const { client, writes } = useProvided();
  const [state, setState] = useState<{ data?: Result; error?: Error }>({});
  const [running, setRunning] = useState(0);
  const run = useCallback(
    async (variables: Variables): Promise<Result | undefined> => {
      setRunning((count) => count + 1);
      try {
        const data = await client.execute(document, variables);
        setState({ data });
        writes.note();
        return data;
      } catch (error) {
        setState({ error: error as Error });
        return undefined;
      } finally {
        setRunning((count) => count - 1);
      }
    },
    [client, document, writes],
  );
  return { run, data: state.data, error: state.error, isRunning: running > 0 };
}

/** Recall memories, best first; an input of null asks nothing, such as while nothing is typed. */
export function useRecall(
  input: RecallQueryVariables["input"] | null,
  options: Omit<RecallQueryVariables, "input"> = {},
): Asked<RecallQuery["recall"]> {
  const asked = useRecollectQuery(RecallDocument, input && { ...options, input });
  return { ...asked, data: asked.data?.recall };
}

/** List memories; `loadMore` adds a page, for which all are read again, so that none is listed twice. */
export function useMemories(variables: Omit<MemoriesQueryVariables, "after"> = {}): Memories {
  const key = JSON.stringify(variables);
  const wanted = useRef({ key, pages: 1 });
  if (wanted.current.key !== key) wanted.current = { key, pages: 1 };
  const { data, ...asked } = useAsked(key, async (client) => {
    const pages: MemoriesQuery["memories"][] = [];
    let after: string | null | undefined;
    do {
      const { memories } = await client.execute(MemoriesDocument, { ...variables, after: after ?? null });
      pages.push(memories);
      after = memories.pageInfo.hasNextPage ? memories.pageInfo.endCursor : null;
    } while (after && pages.length < wanted.current.pages);
    return pages;
  });
  const last = data?.at(-1);
  const loadMore = (): void => {
    wanted.current.pages = (data?.length ?? 0) + 1;
    asked.refetch();
  };
  return {
    ...asked,
    memories: data?.flatMap((page) => page.edges.map((edge) => edge.node)) ?? [],
    totalCount: last?.totalCount,
    hasMore: last?.pageInfo.hasNextPage ?? false,
    loadMore,
  };
}

/** Read a conversation with all that was said, and say more. */
export function useConversation(id: string, options: { workspaceId?: string } = {}): Conversation {
  const { data, error, ...asked } = useAsked(JSON.stringify([id, options]), async (client) => {
    const { conversation } = await client.execute(ConversationDocument, { ...options, id });
    return { conversation, messages: await said(client, id, options) };
  });
  const appending = useRecollectMutation(AppendMessagesDocument);
  const answer = appending.data?.appendMessages;
  return {
    ...asked,
    error: error ?? appending.error,
    conversation: data?.conversation,
    messages: data?.messages ?? [],
    append: async (given) => {
      const messages = given.map((message) => ({ id: newId(), ...message }));
      return (await appending.run({ ...options, input: { conversationId: id, messages } })) !== undefined;
    },
    leftOut: answer?.skipped ? [answer.skipped] : (answer?.capture?.leftOut.map(({ reason }) => reason) ?? []),
    isAppending: appending.isRunning,
  };
}

async function said(client: Recollect, id: string, options: { workspaceId?: string }): Promise<ListedMessage[]> {
  const found: ListedMessage[] = [];
  let after: string | null | undefined;
  do {
    const asked = { ...options, conversationId: id, first: PAGE, after: after ?? null };
    const messages = (await client.execute(MessagesDocument, asked)).conversation?.messages;
    found.push(...(messages?.edges.map((edge) => edge.node) ?? []));
    after = messages?.pageInfo.hasNextPage ? messages.pageInfo.endCursor : null;
  } while (after);
  return found;
}

function newId(): string {
  // randomUUID is not there on pages that came over plain HTTP.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Save memories: `run({ input: { content } })`. */
export function useSaveMemory(): Written<SaveMemoryMutation, SaveMemoryMutationVariables> {
  return useRecollectMutation(SaveMemoryDocument);
}
