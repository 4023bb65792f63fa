import { type Client, createClient } from "graphql-ws";
import { RecollectError, type Refusal } from "./recollect.js";

const CODES: Record<number, string> = { 4401: "UNAUTHENTICATED", 4403: "FORBIDDEN" };
const PING_MS = 10_000;
const PONG_MS = 20_000; // a server that is busy answers late

/** Yield the data of each event of a subscription; see `Recollect.subscribe`. */
export async function* subscription<Result>(
  url: URL,
  apiKey: string,
  request: { query: string; variables: Record<string, unknown> },
): AsyncGenerator<Result, void, undefined> {
  let overdue: ReturnType<typeof setTimeout> | undefined;
  const client: Client = createClient({
    url: url.href,
    connectionParams: { Authorization: `Bearer ${apiKey}` },
    retryAttempts: 0, // what comes meanwhile would be lost without a word
    keepAlive: PING_MS, // of a connection that died on the way nobody else tells
    on: {
      ping: (isReceived) => {
        if (!isReceived) overdue = setTimeout(() => client.terminate(), PONG_MS);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(overdue);
      },
      closed: () => clearTimeout(overdue),
    },
  });
  try {
    for await (const { data, errors } of client.iterate<Result>(request)) {
      if (errors?.[0]) throw RecollectError.of(errors[0] as Refusal, "INVALID_INPUT");
      if (data) yield data;
    }
  } catch (error) {
    throw refused(error);
  } finally {
    await client.dispose();
  }
}

/** Return what ended a subscription: refusals of the service, a closed connection, or whatever was thrown already. */
function refused(error: unknown): unknown {
  if (Array.isArray(error)) return RecollectError.of(error[0] as Refusal, "INVALID_INPUT");
  if (error instanceof RecollectError) return error;
  const { code = 0, reason = String(error) } = error as Partial<CloseEvent>;
  return new RecollectError(CODES[code] ?? "UNAVAILABLE", `the subscription ended: ${code} ${reason}`);
}
