import type { TypedDocumentString } from "./operations.js";
import { mayBeRepeated, takesLong } from "./repeating.js";
import { subscription } from "./subscriptions.js";

const TIMEOUT_MS = 25_000;
const LONG_TIMEOUT_MS = 630_000; // Node itself waits 300 seconds for the beginning of an answer
const RETRY_DELAYS_MS = [500, 1000, 2000];
// What Node says of a request that cannot have arrived; browsers do not tell.
const NOT_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];
// What a status means where nothing else says it; those of app/client/transport.py.
const CODES: Record<number, string> = {
  400: "INVALID_INPUT",
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "TOO_LARGE",
  429: "RATE_LIMITED",
  503: "UNAVAILABLE",
};

/** An error as the service reports it. */
export interface Refusal {
  message: string;
  extensions?: { code?: string; field?: string | null };
}

interface Answer<Result> {
  data?: Result | null;
  errors?: Refusal[];
  error?: string; // of REST, with the two that follow
  code?: string;
  field?: string | null;
}

/**
 * Thrown when the service refuses a request or cannot be reached. `code` is that of `extensions`, such as
 * `INVALID_INPUT`, and `UNAVAILABLE` when nothing answers; `field` is the offending input, where there is one.
 */
export class RecollectError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
    this.name = "RecollectError";
  }

  static of(refusal: Refusal, code: string): RecollectError {
    return new RecollectError(refusal.extensions?.code ?? code, refusal.message, refusal.extensions?.field);
  }
}

/** Thrown where nothing was answered, and trying again may help. */
class Transient extends RecollectError {}

/** Sends typed documents: variables and result have the types that the SDL gives them. */
export class Recollect {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /**
   * Send a query or a mutation and return its data. What fails on the way, or because the service is not there, is
   * tried again after 0.5, 1 and 2 seconds; a refusal never, nor what failed beside fields that were answered, for what
   * these wrote would be written twice. Mutations that would do more if they arrived twice, and what takes long, are
   * tried again only where the request cannot have arrived or the service answers that it is unavailable; what takes
   * long only where it says so within 25 seconds, since later it has reached a deadline of its own.
   */
  async execute<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    for (const delay of RETRY_DELAYS_MS) {
      try {
        return await this.attempt(document, variables);
      } catch (error) {
        if (!(error instanceof Transient)) throw error;
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
    return this.attempt(document, variables);
  }

  /**
   * Yield the data of each event of a subscription until it ends or the loop is left. It needs a global `WebSocket`:
   * every browser and Node 22 have one. What comes while there is no connection is lost, so nothing is tried again.
   */
  subscribe<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): AsyncGenerator<Result, void, undefined> {
    const url = this.address;
    url.protocol = url.protocol.replace("http", "ws");
    return subscription(url, this.apiKey, {
      query: document.toString(),
      variables: variables as Record<string, unknown>,
    });
  }

  private get address(): URL {
    return new URL(`${this.baseUrl.replace(/\/+$/, "")}/graphql`);
  }

  private async attempt<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const query = document.toString();
    const began = performance.now();
    const { status, text } = await this.fetched(query, variables);
    const answer = parsed<Result>(text);
    const refusal = answer.errors?.[0];
    if (!refusal && answer.data) return answer.data;
    const error = refusal
      ? RecollectError.of(refusal, codeOf(status, "INVALID_INPUT"))
      : new RecollectError(
          answer.code ?? codeOf(status, "UNEXPECTED"),
          answer.error ?? `no result, status ${status}`,
          answer.field,
        );
    const isAnswered = Object.values(answer.data ?? {}).some((value) => value !== null);
    const isDown = refusal?.extensions?.code === "UNAVAILABLE" || status === 503;
    const isFailure = error.code === "UNAVAILABLE" || status >= 500;
    // What has run into a deadline of the service would run into it again.
    const hasRun = takesLong(query) && performance.now() - began > TIMEOUT_MS;
    const mayPass = isFailure && !isAnswered && !hasRun && (isDown || mayBeRepeated(query, variables));
    throw mayPass ? new Transient(error.code, error.message, error.field) : error;
  }

  private async fetched(query: string, variables: unknown): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(this.address, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.apiKey}` },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(takesLong(query) ? LONG_TIMEOUT_MS : TIMEOUT_MS),
      });
      return { status: response.status, text: await response.text() }; // which may break off
    } catch (error) {
      const message = `Recollect at ${this.baseUrl} does not answer: ${String(error)}`;
      const { code = "" } = (error as { cause?: { code?: string } }).cause ?? {};
      if (mayBeRepeated(query, variables) || NOT_SENT.includes(code)) throw new Transient("UNAVAILABLE", message);
      throw new RecollectError("UNAVAILABLE", `${message}; what was asked may have been done: look before you ask again`);
    }
  }
}

/** Return what an answer says: nothing where it is another's than the service's. */
function parsed<Result>(text: string): Answer<Result> {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : {};
  } catch {
    return {};
  }
}

function codeOf(status: number, otherwise: string): string {
  return CODES[status] ?? (status >= 500 ? "UNAVAILABLE" : otherwise);
}
