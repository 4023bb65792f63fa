/** A typed client of Recollect: documents of the operations of the API, and what sends them. */
export * from "./operations.js";
export { Recollect, RecollectError } from "./recollect.js";
