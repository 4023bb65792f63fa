import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { ChatContextDocument, type ChatContextQuery } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { signals } from "../server/signals";
import { answerTo, ChatFailed } from "./eventStream";

export type Context = ChatContextQuery["context"];

/**
 * What was said and answered; `context` is what the model was given to remember, null where nothing, and `nodeIds` are the
 * nodes that the answer rests on, as the proxy names them.
 */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
  readonly context: Context | null;
  readonly nodeIds?: readonly string[] | undefined;
  readonly failure?: string | undefined;
  readonly code?: string | undefined;
}

interface ChatOptions {
  readonly conversationId: string;
  readonly model: string;
  readonly isMemoryOn: boolean;
}

interface Chat {
  readonly exchanges: readonly Exchange[];
  readonly isAnswering: boolean;
  readonly ask: (question: string) => void;
  readonly again: () => void;
  readonly stop: () => void;
}

/** An answer that is coming. */
interface Running {
  readonly abort: AbortController;
  /** Keep what has come so far, as broken off. */
  readonly keep: () => void;
}

/** The code of a failure where the service did not answer at all. */
export const UNREACHABLE = "unreachable";
/** The code of a failure where the page was left before the answer was whole. */
export const LEFT = "left";

const LEAVING_MS = 10_000; // a page that is still there then stays: it was a download, or leaving was cancelled
const BROKEN_OFF = { failure: LEFT, code: LEFT } as const;
const NOTHING: readonly Exchange[] = [];

function failureOf(error: unknown): Pick<Exchange, "failure" | "code"> {
  if (error instanceof ChatFailed) return { failure: error.message, code: error.code };
  if (error instanceof TypeError) {
    signals.lost(); // this is how `fetch` says that nobody answers
    return { failure: error.message, code: UNREACHABLE };
  }
  return { failure: String(error) };
}

function said(before: readonly Exchange[], question: string) {
  return [
    ...before.flatMap((each) => [
      { role: "user" as const, content: each.question },
      ...(each.answer === "" ? [] : [{ role: "assistant" as const, content: each.answer }]),
    ]),
    { role: "user" as const, content: question },
  ];
}

/**
 * Return one chat with a model, which is kept in this tab; each turn is given what is remembered.
 *
 * A question is kept before it is asked. Where the page is left or loaded again meanwhile, what has come of the answer is
 * kept, and the rest is not waited for.
 */
export function useChat({ conversationId, model, isMemoryOn }: ChatOptions): Chat {
  const client = useClient();
  const [kept, keep] = useDraft(`chat.turns.${conversationId}`, NOTHING);
  const [shown, setShown] = useState<readonly Exchange[]>(); // while an answer comes
  const running = useRef<Running>(null);
  const isUnloading = useRef(false); // then browsers break an answer off before they say that the page goes

  useEffect(() => {
    const leave = () => {
      const left = running.current;
      running.current = null;
      left?.keep();
      left?.abort.abort();
      setShown(undefined);
    };
    let calledOff: ReturnType<typeof setTimeout> | undefined;
    const unload = () => {
      isUnloading.current = true;
      clearTimeout(calledOff);
      calledOff = setTimeout(() => {
        isUnloading.current = false;
      }, LEAVING_MS);
    };
    window.addEventListener("beforeunload", unload);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("beforeunload", unload);
      window.removeEventListener("pagehide", leave);
      clearTimeout(calledOff);
      leave();
    };
  }, []);

  const contextOf = async (question: string): Promise<Context | null> => {
    if (!isMemoryOn) return null;
    const input = { query: question, conversationId, dryRun: true }; // the proxy injects it, and counts
    const { data } = await client.query(
      ChatContextDocument,
      { workspaceId: null, input },
      { requestPolicy: "network-only" },
    );
    // With memory off the proxy injects nothing, while a context that somebody asks for has memories.
    const isOff = data?.context.missing.some(({ part, why }) => part === "patterns" && why === "off");
    return isOff ? null : (data?.context ?? null);
  };
  const run = async (before: readonly Exchange[], question: string) => {
    if (running.current !== null) return;
    let exchange: Exchange = { question, answer: "", context: null };
    const mine: Running = {
      abort: new AbortController(),
      keep: () => keep([...before, { ...exchange, ...BROKEN_OFF }]),
    };
    const { signal } = mine.abort;
    const isLeft = () => running.current !== mine; // what had come by then was kept
    const isGoing = () => isUnloading.current;
    const put = (part: Partial<Exchange>) => {
      if (isLeft()) return;
      exchange = { ...exchange, ...part };
      setShown([...before, exchange]);
    };
    running.current = mine;
    isUnloading.current = false;
    mine.keep();
    put({});
    try {
      put({ context: await contextOf(question) });
      const messages = said(before, question);
      const onNodes = (nodeIds: readonly string[]) => put({ nodeIds });
      const asked = { model, conversationId, isMemoryOn, messages, signal, onNodes };
      for await (const piece of answerTo(asked)) put({ answer: exchange.answer + piece });
    } catch (error) {
      if (!signal.aborted) put(isGoing() ? BROKEN_OFF : failureOf(error));
    }
    if (isLeft()) return;
    running.current = null;
    keep([...before, exchange]);
    setShown(undefined);
  };

  return {
    exchanges: shown ?? kept,
    isAnswering: shown !== undefined,
    ask: (question) => void run(kept, question),
    again: () => {
      const last = kept.at(-1);
      if (last !== undefined) void run(kept.slice(0, -1), last.question);
    },
    stop: () => running.current?.abort.abort(),
  };
}
