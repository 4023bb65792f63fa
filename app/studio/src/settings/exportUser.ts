import type { AnyVariables, Client, TypedDocumentNode } from "urql";
import {
  ConversationsOfUserDocument,
  type ConversationsOfUserQuery,
  MemoriesOfUserDocument,
  MessagesOfConversationDocument,
  type MessagesOfConversationQuery,
} from "../../generated/operations";
import { reasonOf } from "../server/client";
import { offerFile } from "../shell/offerFile";

type Conversation = ConversationsOfUserQuery["conversations"]["edges"][number]["node"];

interface Paged<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

type Querying = Pick<Client, "query">;

async function everyRow<Data, Variables extends { after?: string | null } & AnyVariables, Row>(
  client: Querying,
  document: TypedDocumentNode<Data, Variables>,
  asked: Omit<Variables, "after">,
  pageOf: (data: Data) => Paged<Row> | undefined,
  begun?: Paged<Row>, // the first page, where it is there
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = begun; ;) {
    if (page !== undefined) {
      rows.push(...page.edges.map((edge) => edge.node));
      if (!page.pageInfo.hasNextPage) return rows;
    }
    const variables = { ...asked, after: page?.pageInfo.endCursor ?? null } as unknown as Variables;
    const { data, error } = await client.query(document, variables, { requestPolicy: "network-only" });
    page = data === undefined ? undefined : pageOf(data);
    if (page === undefined) throw new Error(reasonOf(error));
  }
}

/**
 * Return a user's memories and conversations, all of each.
 *
 * @throws Error - The server refused, in its words.
 */
export async function keptOf(client: Querying, workspaceId: string | null, userId: string) {
  const asked = { workspaceId, userId };
  const memories = await everyRow(client, MemoriesOfUserDocument, asked, (data) => data.memories);
  const found = await everyRow(client, ConversationsOfUserDocument, asked, (data) => data.conversations);
  const conversations = [];
  for (const conversation of found)
    conversations.push({ ...conversation, messages: await messagesOf(client, workspaceId, conversation) });
  return { userId, memories, conversations };
}

function messagesOf(client: Querying, workspaceId: string | null, { id, messages }: Conversation) {
  const asked = { workspaceId, id };
  const pageOf = (data: MessagesOfConversationQuery) => data.conversation?.messages;
  return everyRow(client, MessagesOfConversationDocument, asked, pageOf, messages);
}

/**
 * Offer a user's memories and conversations as a file.
 *
 * @throws Error - The server refused, in its words.
 */
export async function exportUser(client: Client, workspaceId: string | null, userId: string): Promise<void> {
  const content = JSON.stringify(await keptOf(client, workspaceId, userId), null, 2);
  offerFile(`user-${userId.replaceAll(/[^\w.-]/g, "_")}.json`, content);
}
