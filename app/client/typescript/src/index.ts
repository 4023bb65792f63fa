/** A typed client of Recollect: documents of every operation of the API, and what sends them. */
export * from "./operations.js";
export { Recollect, RecollectError } from "./recollect.js";
