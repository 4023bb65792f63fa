import { RecollectError, type Refusal } from "./recollect.js";

const PROTOCOL = "graphql-transport-ws";
const ID = "1";
const CODES: Record<number, string> = { 4401: "UNAUTHENTICATED", 4403: "FORBIDDEN" };

type Message<Result> =
  | { type: "connection_ack" }
  | { type: "ping" }
  | { type: "complete" }
  | { type: "error"; payload: Refusal[] }
  | { type: "next"; payload: { data?: Result | null; errors?: Refusal[] } };

/** Yield the data of each event of a subscription; see `Recollect.subscribe`. */
export async function* subscription<Result>(
  url: URL,
  apiKey: string,
  request: { query: string; variables: unknown },
): AsyncGenerator<Result, void, undefined> {
  const socket = new WebSocket(url, PROTOCOL);
  const events = new ReadableStream<Result>({
    start: (controller) => follow(socket, apiKey, request, controller),
  }).getReader();
  try {
    for (let event = await events.read(); !event.done; event = await events.read()) yield event.value;
  } finally {
    socket.close();
  }
}

function follow<Result>(
  socket: WebSocket,
  apiKey: string,
  request: object,
  controller: ReadableStreamDefaultController<Result>,
): void {
  const send = (message: object): void => socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: "connection_init", payload: { Authorization: `Bearer ${apiKey}` } });
  socket.onclose = ({ code, reason }) =>
    controller.error(new RecollectError(CODES[code] ?? "UNAVAILABLE", `the subscription ended: ${code} ${reason}`));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message<Result>;
    if (message.type === "connection_ack") send({ id: ID, type: "subscribe", payload: request });
    else if (message.type === "ping") send({ type: "pong" });
    else if (message.type === "complete") controller.close();
    else {
      const refusal = message.type === "error" ? message.payload[0] : message.payload.errors?.[0];
      if (refusal) controller.error(RecollectError.of(refusal, "INVALID_INPUT"));
      else if (message.type === "next" && message.payload.data) controller.enqueue(message.payload.data);
    }
  };
}
