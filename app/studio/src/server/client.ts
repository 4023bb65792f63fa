import { type Client as Socket, createClient as createSocket } from "graphql-ws";
import {
  cacheExchange,
  Client,
  type CombinedError,
  fetchExchange,
  mapExchange,
  type OperationResult,
  subscriptionExchange,
} from "urql";
import i18next from "i18next";
import { HealthDocument } from "../../generated/operations";
import { lasting, patience } from "./lasting";
import { signals } from "./signals";
import { withoutNulls } from "./withoutNulls";

const PATH = "/graphql";

/** Tell why a request failed, in the server's own words where it said something. */
export function reasonOf(error: CombinedError | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (isLost(error)) return i18next.t("shell.unreachable");
  return error.graphQLErrors[0]?.message ?? error.networkError?.message ?? error.message;
}

/** Return what an answer notes besides its data, such as why nothing was done; undefined without a note. */
export function noticesOf({ extensions }: Pick<OperationResult, "extensions">): string | undefined {
  const notices: unknown = extensions?.notices;
  return Array.isArray(notices) ? notices.join(" ") : undefined;
}

/** Return the name of the input that a request was refused for; undefined where it was for no single one. */
export function fieldOf(error: CombinedError | undefined): string | undefined {
  const field = error?.graphQLErrors[0]?.extensions.field;
  return typeof field === "string" ? field : undefined;
}

function isSignedOut(error: CombinedError): boolean {
  const code = error.graphQLErrors.some((each) => each.extensions.code === "UNAUTHENTICATED");
  const response = error.response as Response | undefined;
  return code || response?.status === 401;
}

function isLost(error: CombinedError): boolean {
  const response = error.response as Response | undefined;
  return error.networkError !== undefined && (response === undefined || response.status >= 502);
}

const NORMAL_END = 1000;
const PING_MS = 10_000;
const PONG_MS = 20_000; // a server that is busy answers late
const KEPT_MS = 5_000; // from one page with events to the next

let overdue: ReturnType<typeof setTimeout> | undefined;
let isConnecting = false;
let cameMeanwhile = false;
const socket: Socket = createSocket({
  url: () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${PATH}`,
  lazy: true,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: async (retries) => {
    await new Promise((resolve) => setTimeout(resolve, patience(retries)));
  },
  lazyCloseTimeout: KEPT_MS,
  keepAlive: PING_MS, // of a connection that died on the way nobody else tells
  on: {
    ping: (isReceived) => {
      if (!isReceived)
        overdue = setTimeout(() => {
          socket.terminate();
        }, PONG_MS);
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(overdue);
    },
    connecting: () => {
      isConnecting = true;
      cameMeanwhile = false;
    },
    connected: (_socket, _payload, wasRetry) => {
      signals.answered();
      // Of what was loaded before there were events, nobody told how it changed.
      if (wasRetry || cameMeanwhile) signals.missed();
      isConnecting = false;
    },
    closed: (event) => {
      clearTimeout(overdue);
      // A socket that breaks may mean that the server is gone; whether it is, its next answer says.
      if ((event as Partial<CloseEvent>).code !== NORMAL_END)
        void client.query(HealthDocument, {}, { requestPolicy: "network-only" }).toPromise();
    },
  },
});

export const client = new Client({
  url: PATH,
  preferGetMethod: false,
  fetchOptions: { credentials: "same-origin" },
  requestPolicy: "cache-and-network",
  exchanges: [
    cacheExchange,
    mapExchange({
      onResult: (result) => {
        const known = withoutNulls(result);
        if (result.operation.kind === "subscription") return known;
        if (isConnecting) cameMeanwhile = true;
        if (result.error === undefined) signals.answered();
        else if (isSignedOut(result.error)) signals.signedOut();
        else if (isLost(result.error)) signals.lost();
        else signals.answered();
        return known;
      },
    }),
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: (request) => ({
        subscribe: (sink) => ({
          unsubscribe: lasting(
            (each) => socket.subscribe({ ...request, query: request.query ?? "" }, each),
            sink,
            () => signals.missed(),
          ),
        }),
      }),
    }),
  ],
});
