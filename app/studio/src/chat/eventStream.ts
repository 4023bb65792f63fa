import { EventSourceParserStream } from "eventsource-parser/stream";
import { signals } from "../server/signals";

const SIGNED_OUT = 401;

/** Raised when the model's server, or the way to it, refuses; in its own words. */
export class ChatFailed extends Error {
  constructor(
    message: string,
    readonly code?: string | undefined,
  ) {
    super(message);
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly error?: { readonly message?: string; readonly code?: string | null };
}

/** Return the failure that a body in OpenAI's form tells of. */
export function failureIn(body: string, otherwise: string): ChatFailed {
  try {
    const { error } = JSON.parse(body) as Chunk;
    return new ChatFailed(error?.message ?? otherwise, error?.code ?? undefined);
  } catch {
    return new ChatFailed(otherwise);
  }
}

function textOf(data: string): string {
  if (data === "" || data === "[DONE]") return "";
  const chunk = JSON.parse(data) as Chunk;
  if (chunk.error !== undefined) throw failureIn(data, data);
  return chunk.choices?.map((choice) => choice.delta?.content ?? "").join("") ?? "";
}

/**
 * Yield the texts that a stream of events brings, as they come.
 *
 * @throws ChatFailed - An event tells that the stream was broken off.
 */
export async function* textsIn(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const text = textOf(part.value.data);
    if (text !== "") yield text;
  }
}

interface Said {
  readonly role: "user" | "assistant";
  readonly content: string;
}

interface Turn {
  readonly model: string;
  readonly conversationId: string;
  readonly isMemoryOn: boolean;
  readonly messages: readonly Said[];
  readonly signal: AbortSignal;
  readonly onNodes: (ids: readonly string[]) => void;
}

/** Return the ids that a header names, separated by commas and percent-encoded. */
export function idsIn(header: string | null): readonly string[] {
  return header === null || header === "" ? [] : header.split(",").map(decodeURIComponent);
}

/**
 * Yield the answer of a model piece by piece, through the proxy that puts in what is remembered.
 *
 * Before the first piece `onNodes` is told which nodes the model was given.
 *
 * @throws ChatFailed - There is no answer, or it was broken off.
 */
export async function* answerTo(turn: Turn): AsyncGenerator<string> {
  const { model, conversationId, isMemoryOn, messages, signal, onNodes } = turn;
  const response = await fetch("/v1/chat/completions", {
    method: "POST",
    credentials: "same-origin",
    signal,
    headers: {
      "content-type": "application/json",
      "x-recollect-conversation-id": conversationId,
      ...(!isMemoryOn && { "x-omniroute-no-memory": "true" }),
    },
    body: JSON.stringify({ model, stream: true, messages }),
  });
  if (response.status === SIGNED_OUT) signals.signedOut();
  if (!response.ok || response.body === null)
    throw failureIn(await response.text(), `${response.status} ${response.statusText}`);
  onNodes(idsIn(response.headers.get("x-recollect-nodes")));
  yield* textsIn(response.body);
}
