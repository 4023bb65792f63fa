import type { TypedDocumentString } from "./operations.js";

const TIMEOUT_MS = 25_000;

interface Answer<Result> {
  data?: Result | null;
  errors?: { message: string; extensions?: { code?: string; field?: string | null } }[];
  error?: string;
}

/** Thrown when the service refuses a request; `code` is that of `extensions`, such as `INVALID_INPUT`. */
export class RecollectError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "RecollectError";
  }
}

/** Sends typed documents: variables and result have the types that the SDL gives them. */
export class Recollect {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  async execute<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const response = await fetch(new URL("/graphql", this.baseUrl), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.apiKey}` },
      body: JSON.stringify({ query: document.toString(), variables }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await response.json()) as Answer<Result>;
    const refusal = answer.errors?.[0];
    if (refusal || !answer.data) {
      const message = refusal?.message ?? answer.error ?? `no result, status ${response.status}`;
      throw new RecollectError(refusal?.extensions?.code ?? String(response.status), message);
    }
    return answer.data;
  }
}
