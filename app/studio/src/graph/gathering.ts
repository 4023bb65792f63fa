/** What came of several requests: what was found, and why others of them found nothing. */
interface Gathered<T> {
  readonly found: readonly T[];
  readonly reasons: readonly string[];
}

/** Wait for all of several requests; those that fail leave what the others find. */
export async function gathered<T>(asked: readonly Promise<T>[]): Promise<Gathered<T>> {
  const settled = await Promise.allSettled(asked);
  return {
    found: settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    reasons: settled.flatMap((each) => (each.status === "rejected" ? [(each.reason as Error).message] : [])),
  };
}
