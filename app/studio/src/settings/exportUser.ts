import type { Client, TypedDocumentNode } from "urql";
import { ConversationsOfUserDocument, MemoriesOfUserDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { offerFile } from "../shell/offerFile";

interface Paged<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

interface OfUser {
  readonly workspaceId: string | null;
  readonly userId: string;
  readonly after: string | null;
}

async function everyRow<Data, Row>(
  client: Client,
  document: TypedDocumentNode<Data, OfUser>,
  asked: Omit<OfUser, "after">,
  pageOf: (data: Data) => Paged<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  for (;;) {
    const answer = await client.query<Data, OfUser>(
      document,
      { ...asked, after },
      { requestPolicy: "network-only" },
    );
    if (answer.data === undefined) throw new Error(reasonOf(answer.error));
    const page = pageOf(answer.data);
    rows.push(...page.edges.map((edge) => edge.node));
    if (!page.pageInfo.hasNextPage) return rows;
    after = page.pageInfo.endCursor ?? null;
  }
}

/**
 * Offer a user's memories and conversations as a file.
 *
 * @throws Error - The server refused, in its words.
 */
export async function exportUser(client: Client, workspaceId: string | null, userId: string): Promise<void> {
  const asked = { workspaceId, userId };
  const memories = await everyRow(client, MemoriesOfUserDocument, asked, (data) => data.memories);
  const conversations = await everyRow(
    client,
    ConversationsOfUserDocument,
    asked,
    (data) => data.conversations,
  );
  const content = JSON.stringify({ userId, memories, conversations }, null, 2);
  offerFile(`user-${userId.replaceAll(/[^\w.-]/g, "_")}.json`, content);
}
