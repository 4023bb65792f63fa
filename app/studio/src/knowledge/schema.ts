/** Return whether a type asks anything of the properties of what is of it. */
export function hasSchema(properties: unknown): boolean {
  return typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
}
