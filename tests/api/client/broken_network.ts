// What the client meets on a bad network: answers that break off, pages of gateways, connections that die unnoticed.
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createRelay, type Server } from "node:net";
import {
  CompactMemoriesDocument, CreateApiKeyDocument, MeDocument, MemoryEventsDocument, RecallDocument, Recollect,
  RecollectError, SaveMemoryDocument,
} from "@recollect/client";

const { RECOLLECT_API_URL, RECOLLECT_API_KEY } = process.env as Record<string, string>;

function print(...values: unknown[]): void {
  console.log(JSON.stringify(values));
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ended(asking: Promise<unknown>): Promise<unknown> {
  return asking.catch((error) => (error instanceof RecollectError ? error.code : String(error)));
}

let asked = 0;
const halves = createServer((request, response) => {
  asked += 1;
  response.setHeader("Content-Type", "application/json");
  if (asked === 2) {
    response.end('{"data": {"recall": {"hits": []}}}');
    return;
  }
  response.writeHead(200, { "Content-Length": "1000" }).write('{"data": {');
  setTimeout(() => request.socket.destroy(), 100);
});
const unlucky = new Recollect(await listening(halves), "rk");
print("recall", await ended(unlucky.execute(RecallDocument, { input: { query: "Tabs" } })), asked);
print("createApiKey", await ended(unlucky.execute(CreateApiKeyDocument, { input: { name: "ci", scopes: ["READ"] } })), asked);
const uncompared = { content: "Tabs", dedup: false };
print("saveMemory", await ended(unlucky.execute(SaveMemoryDocument, { input: uncompared })), asked);
const named = { ...uncompared, key: "tabs" };
print("saveMemory", await ended(unlucky.execute(SaveMemoryDocument, { input: named })), asked);

const now = performance.now.bind(performance);
let [begun, late] = [0, 0];
const deadline = createServer((_, response) => {
  begun += 1;
  late += 26_000 * (begun - 1); // the first is refused at once, the second later than any other attempt may take
  response.writeHead(503).end();
});
performance.now = () => now() + late;
const slow = new Recollect(await listening(deadline), "rk");
print("compactMemories", await ended(slow.execute(CompactMemoriesDocument, { input: { olderThanDays: 9 } })), begun);
performance.now = now;

for (const status of [401, 403, 429, 418]) {
  const gateway = createServer((_, response) => response.writeHead(status).end("<html>"));
  print(status, await ended(new Recollect(await listening(gateway), "rk").execute(MeDocument, {})));
}
const teapot = createServer((_, response) => response.writeHead(418).end('{"error": "no", "code": "OF_ITS_OWN"}'));
print(418, await ended(new Recollect(await listening(teapot), "rk").execute(MeDocument, {})));

let isDead = false;
const relay = createRelay((near) => {
  const far = connect(Number(new URL(RECOLLECT_API_URL!).port), "127.0.0.1");
  near.on("data", (data) => isDead || far.write(data));
  far.on("data", (data) => isDead || near.write(data));
});
const event = new Recollect(await listening(relay), RECOLLECT_API_KEY!).subscribe(MemoryEventsDocument, {}).next();
let isOver = false;
const end = ended(event).finally(() => (isOver = true));
await new Promise((resolve) => setTimeout(resolve, 25_000));
print("alive", isOver);
isDead = true;
print("dead", await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 90_000, "still waiting"))]));
process.exit(0);
