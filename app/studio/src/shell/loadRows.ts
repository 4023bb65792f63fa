/** A page of a list, as the server sends it. */
export interface Connection<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A page, or why there is none. */
export interface Answer<Page> {
  readonly page?: Page | undefined;
  readonly reason?: string | undefined;
}

/**
 * Return the rows after `after` as one page, asked for page by page until there are `least` or no more.
 *
 * `ask` is given how many are missing and after which row they stand. Where a page is refused there is none at all.
 */
export async function loadRows<Page extends Connection<unknown>>(
  least: number,
  after: string | null,
  ask: (missing: number, after: string | null) => Promise<Answer<Page>>,
): Promise<Answer<Page>> {
  let edges: readonly { readonly node: unknown }[] = [];
  for (let from = after; ;) {
    const answer = await ask(Math.max(1, least - edges.length), from);
    if (answer.page === undefined) return answer;
    const { pageInfo } = answer.page;
    edges = [...edges, ...answer.page.edges];
    from = pageInfo.endCursor ?? null;
    if (edges.length >= least || !pageInfo.hasNextPage || from === null)
      return { page: { ...answer.page, edges } };
  }
}
