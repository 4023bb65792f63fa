import { useRef, useState } from "react";
import { useClient } from "urql";
import { ChatContextDocument, type ChatContextQuery } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { signals } from "../server/signals";
import { answerTo, ChatFailed } from "./eventStream";

export type Context = ChatContextQuery["context"];

/** What was said and answered; `context` is what the model was given to remember, null where nothing. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
  readonly context: Context | null;
  readonly failure?: string | undefined;
  readonly code?: string | undefined;
}

interface ChatOptions {
  readonly conversationId: string;
  readonly model: string;
  readonly isMemoryOn: boolean;
}

export interface Chat {
  readonly exchanges: readonly Exchange[];
  readonly isAnswering: boolean;
  readonly ask: (question: string) => void;
  readonly again: () => void;
  readonly stop: () => void;
}

/** The code of a failure where the service did not answer at all. */
export const UNREACHABLE = "unreachable";

const NOTHING: readonly Exchange[] = [];

function failureOf(error: unknown): Pick<Exchange, "failure" | "code"> {
  if (error instanceof ChatFailed) return { failure: error.message, code: error.code };
  if (error instanceof TypeError) {
    signals.lost(); // this is how `fetch` says that nobody answers
    return { failure: error.message, code: UNREACHABLE };
  }
  return { failure: String(error) };
}

/** Return one chat with a model, which is kept in this tab; each turn is given what is remembered. */
export function useChat({ conversationId, model, isMemoryOn }: ChatOptions): Chat {
  const client = useClient();
  const [exchanges, keep] = useDraft(`chat.turns.${conversationId}`, NOTHING);
  const [current, setCurrent] = useState<Exchange>();
  const controller = useRef<AbortController>(null);

  const contextOf = async (question: string): Promise<Context | null> => {
    if (!isMemoryOn) return null;
    const input = { query: question, conversationId };
    const { data } = await client.query(
      ChatContextDocument,
      { workspaceId: null, input },
      { requestPolicy: "network-only" },
    );
    return data?.context ?? null;
  };
  const run = async (before: readonly Exchange[], question: string) => {
    const abort = new AbortController();
    controller.current = abort;
    let exchange: Exchange = { question, answer: "", context: null };
    const put = (part: Partial<Exchange>) => {
      exchange = { ...exchange, ...part };
      setCurrent(exchange);
    };
    put({});
    put({ context: await contextOf(question) });
    const messages = [
      ...before.flatMap((each) => [
        { role: "user" as const, content: each.question },
        ...(each.answer === "" ? [] : [{ role: "assistant" as const, content: each.answer }]),
      ]),
      { role: "user" as const, content: question },
    ];
    try {
      const asked = { model, conversationId, isMemoryOn, messages, signal: abort.signal };
      for await (const piece of answerTo(asked)) put({ answer: exchange.answer + piece });
    } catch (error) {
      if (!abort.signal.aborted) put(failureOf(error));
    }
    controller.current = null;
    keep([...before, exchange]);
    setCurrent(undefined);
  };

  return {
    exchanges: current === undefined ? exchanges : [...exchanges, current],
    isAnswering: current !== undefined,
    ask: (question) => void run(exchanges, question),
    again: () => {
      const last = exchanges.at(-1);
      if (last === undefined) return;
      keep(exchanges.slice(0, -1));
      void run(exchanges.slice(0, -1), last.question);
    },
    stop: () => controller.current?.abort(),
  };
}
