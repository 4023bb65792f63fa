import type { OntologyFormat } from "../../generated/operations";

/** Return the format that a file's name stands for; JSON where it says nothing. */
export function formatOf(name: string): OntologyFormat {
  const extension = name.toLowerCase().split(".").at(-1);
  if (extension === "ttl" || extension === "turtle") return "TURTLE";
  return extension === "jsonld" ? "JSON_LD" : "JSON";
}

/** Return whether a type asks anything of the properties of what is of it. */
export function hasSchema(properties: unknown): boolean {
  return typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
}
