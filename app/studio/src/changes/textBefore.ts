/** Return the text that a memory had before a change, or that was saved before it was merged; undefined: none. */
export function textBefore(before: unknown): string | undefined {
  const fields = asFields(before);
  const text = asFields(fields?.["saved"])?.["content"] ?? fields?.["content"];
  return typeof text === "string" ? text : undefined;
}

function asFields(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
