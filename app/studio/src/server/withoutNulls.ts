import type { OperationResult } from "urql";

/**
 * Return a result without data where these have a null that the types do not know: in the place of all of it, or of a
 * field of the root that failed beside others.
 */
export function withoutNulls(result: OperationResult): OperationResult {
  const data = result.data as Record<string, unknown> | null | undefined;
  const failed = result.error?.graphQLErrors.map(({ path }) => path?.[0]) ?? [];
  const isKnown = data !== null && failed.every((name) => name === undefined || data?.[name] !== null);
  return isKnown ? result : { ...result, data: undefined };
}
