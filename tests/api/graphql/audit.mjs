// Runs the audits of graphql-http against a service, and prints what became of each.
import { auditServer } from "graphql-http";

const key = { Authorization: `Bearer ${process.env.RECOLLECT_API_KEY}` };
const fetchFn = (url, options = {}) => fetch(url, { ...options, headers: { ...options.headers, ...key } });
const results = await auditServer({ url: `${process.env.RECOLLECT_API_URL}/graphql`, fetchFn });
console.log(JSON.stringify(results.map(({ id, name, status, reason }) => ({ id, name, status, reason }))));
