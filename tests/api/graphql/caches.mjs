// Asks documents through Apollo and urql, whose caches keep what has an id once for all queries, reads them all from the caches
// then, and prints which are not what the service had answered: `RECOLLECT_DOCUMENTS` holds them by their names.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { ApolloClient, HttpLink, InMemoryCache, gql } from "@apollo/client/core/index.js";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { buildSchema, introspectionFromSchema } from "graphql";

const url = `${process.env.RECOLLECT_API_URL}/graphql`;
const headers = { Authorization: `Bearer ${process.env.RECOLLECT_API_KEY}` };
const documents = Object.entries(JSON.parse(process.env.RECOLLECT_DOCUMENTS));
const schema = introspectionFromSchema(buildSchema(readFileSync(process.env.RECOLLECT_SDL, "utf-8")));

let answer;
async function recording(...request) {
  const response = await fetch(...request);
  answer = (await response.clone().json()).data;
  return response;
}

const possibleTypes = { Node: schema.__schema.types.find(({ name }) => name === "Node").possibleTypes.map(({ name }) => name) };
const keys = Object.fromEntries(JSON.parse(process.env.RECOLLECT_VALUES).map((name) => [name, () => null]));
const apollo = new ApolloClient({ link: new HttpLink({ uri: url, headers, fetch: recording }), cache: new InMemoryCache({ possibleTypes }) });
const urql = new Client({
  url,
  preferGetMethod: false,
  fetch: recording,
  fetchOptions: { headers },
  exchanges: [cacheExchange({ schema, keys }), fetchExchange],
});

function without(value) {
  if (Array.isArray(value)) return value.map(without);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => name !== "__typename").map(([name, inner]) => [name, without(inner)]),
  );
}

const truth = { apollo: {}, urql: {} };
for (const [name, query] of documents) {
  await apollo.query({ query: gql(query), fetchPolicy: "network-only" });
  truth.apollo[name] = without(answer);
  await urql.query(query, {}, { requestPolicy: "network-only" }).toPromise();
  truth.urql[name] = without(answer);
}
const mixed = [];
for (const [name, query] of documents) {
  const kept = { apollo: apollo.readQuery({ query: gql(query) }), urql: urql.readQuery(query, {})?.data };
  for (const [cache, data] of Object.entries(kept)) {
    if (!isDeepStrictEqual(without(data), truth[cache][name])) mixed.push([cache, name, without(data), truth[cache][name]]);
  }
}
console.log(JSON.stringify({ read: Object.keys(truth.apollo).filter((name) => truth.apollo[name]), mixed }));
