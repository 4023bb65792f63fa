import type { TypedDocumentString } from "./operations.js";
import { subscription } from "./subscriptions.js";

const TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [500, 1000, 2000];

/** An error as the service reports it. */
export interface Refusal {
  message: string;
  extensions?: { code?: string; field?: string | null };
}

interface Answer<Result> {
  data?: Result | null;
  errors?: Refusal[];
  error?: string;
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
   * these wrote would be written twice.
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
    const url = new URL("/graphql", this.baseUrl);
    url.protocol = url.protocol.replace("http", "ws");
    return subscription(url, this.apiKey, {
      query: document.toString(),
      variables: variables as Record<string, unknown>,
    });
  }

  private async attempt<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const response = await this.fetched(JSON.stringify({ query: document.toString(), variables }));
    const code = response.status >= 500 ? "UNAVAILABLE" : String(response.status);
    const answer = (await response.json().catch(() => ({}))) as Answer<Result>;
    const refusal = answer.errors?.[0];
    if (!refusal && answer.data) return answer.data;
    const error = refusal
      ? RecollectError.of(refusal, code)
      : new RecollectError(code, answer.error ?? `no result, status ${response.status}`);
    const isAnswered = Object.values(answer.data ?? {}).some((value) => value !== null);
    throw error.code === "UNAVAILABLE" && !isAnswered ? new Transient(error.code, error.message, error.field) : error;
  }

  private async fetched(body: string): Promise<Response> {
    try {
      return await fetch(new URL("/graphql", this.baseUrl), {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.apiKey}` },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new Transient("UNAVAILABLE", `Recollect at ${this.baseUrl} does not answer: ${String(error)}`);
    }
  }
}
