import type { MessageInput, MessageRole } from "../../generated/operations";

export const BATCH = 500; // messages sent at once
const MOST = 20_000;
const ROLES: readonly MessageRole[] = ["USER", "ASSISTANT", "SYSTEM", "TOOL"];
const ROLE_NAMES: Readonly<Record<string, MessageRole>> = {
  user: "USER",
  human: "USER",
  you: "USER",
  用户: "USER",
  assistant: "ASSISTANT",
  chatgpt: "ASSISTANT",
  claude: "ASSISTANT",
  gemini: "ASSISTANT",
  助手: "ASSISTANT",
  system: "SYSTEM",
  tool: "TOOL",
};
const HEADING = /^#{1,6}\s+(\S.{0,59})$/;
const PREFIX = /^(?:\*\*)?([\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$/u;

/** A conversation to be stored; its messages are neither empty nor too many. */
export interface Transcript {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly platform?: string | undefined;
  readonly messages: readonly MessageInput[];
}

/** Raised when a text holds no conversation. */
export class NoTranscript extends Error {
  constructor(readonly problem: "noTranscript" | "tooMany") {
    super(problem);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Return the text of a message: as it is, or the texts of its parts. */
function contentOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return text(value);
  return text(value.map((part) => text((part as { text?: unknown } | null)?.text) ?? "").join("\n"));
}

function spoken(speaker: string, content: string): MessageInput {
  const role = ROLE_NAMES[speaker.toLowerCase()];
  return role === undefined ? { speaker, content, role: "USER" } : { role, content };
}

function messageOf(entry: unknown): MessageInput | undefined {
  const fields = entry as Record<string, unknown> | null;
  const content = contentOf(fields?.content ?? fields?.text);
  if (content === undefined) return undefined;
  const named = text(fields?.role) ?? text(fields?.sender) ?? text(fields?.author);
  const role = ROLES.find((each) => each === named?.toUpperCase()) ?? ROLE_NAMES[named?.toLowerCase() ?? ""];
  const [id, speaker] = [text(fields?.id), text(fields?.speaker) ?? text(fields?.name)];
  const saidAt = text(fields?.saidAt) ?? text(fields?.created_at) ?? text(fields?.timestamp);
  return {
    content,
    role: role ?? "USER",
    ...(id !== undefined && { id }),
    ...(speaker !== undefined && { speaker }),
    ...(saidAt !== undefined &&
      !Number.isNaN(Date.parse(saidAt)) && { saidAt: new Date(saidAt).toISOString() }),
  };
}

function conversationOf(entry: unknown): Transcript | undefined {
  const fields = entry as Record<string, unknown> | null;
  const list = fields?.messages ?? fields?.chat_messages;
  if (!Array.isArray(list)) return undefined;
  const found = list.map(messageOf).filter((message) => message !== undefined);
  const named = found.filter((message) => message.id !== undefined);
  return {
    id: text(fields?.id) ?? text(fields?.conversationId) ?? text(fields?.uuid),
    title: text(fields?.title) ?? text(fields?.name),
    platform: text(fields?.platform),
    // ids are taken only where all messages have one of their own
    messages:
      named.length === found.length && new Set(named.map((message) => message.id)).size === found.length
        ? found
        : found.map((message) => ({ ...message, id: null })),
  };
}

function fromJson(parsed: unknown): Transcript[] {
  const list = Array.isArray(parsed) ? parsed : (parsed as { conversations?: unknown } | null)?.conversations;
  if (!Array.isArray(list)) return [conversationOf(parsed)].filter((found) => found !== undefined);
  const conversations = list.map(conversationOf).filter((found) => found !== undefined);
  if (conversations.length > 0) return conversations;
  return [conversationOf({ messages: list })].filter((found) => found !== undefined);
}

/** Return what speakers say under headings, as a transcript is copied; without any, behind their names and colons. */
function fromText(whole: string): MessageInput[] {
  const lines = whole.split(/\r?\n/);
  const begins = HEADING.test(lines.find((line) => line.trim() !== "") ?? "") ? HEADING : PREFIX;
  const names = lines.flatMap((line) => begins.exec(line)?.[1]?.trim() ?? []);
  const hasParts = begins === PREFIX && names.some((name) => name.toLowerCase() in ROLE_NAMES);
  const said: { speaker: string; lines: string[] }[] = [];
  for (const line of lines) {
    const [, name, rest] = begins.exec(line) ?? [];
    // beside "User:" and "Assistant:", other words before a colon are what these say
    if (name !== undefined && (!hasParts || name.trim().toLowerCase() in ROLE_NAMES))
      said.push({ speaker: name.trim(), lines: [rest ?? ""] });
    else said.at(-1)?.lines.push(line);
  }
  return said
    .map(({ speaker, lines: theirs }) => spoken(speaker, theirs.join("\n").trim()))
    .filter((message) => message.content !== "");
}

/**
 * Read conversations: as JSON, a list of messages or of conversations with `messages`; else a transcript in which
 * speakers stand in headings, as it is copied here, or before colons.
 *
 * @throws NoTranscript - It is none of that.
 */
export function readTranscripts(file: string): Transcript[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(file);
  } catch {
    parsed = undefined;
  }
  const found = (parsed === undefined ? [{ messages: fromText(file) }] : fromJson(parsed)).filter(
    ({ messages }) => messages.length > 0,
  );
  if (found.length === 0) throw new NoTranscript("noTranscript");
  if (countMessages(found) > MOST) throw new NoTranscript("tooMany");
  return found;
}

export function countMessages(transcripts: readonly Transcript[]): number {
  return transcripts.reduce((sum, { messages }) => sum + messages.length, 0);
}

/** Return the id that a transcript without one gets: the same for the same beginning, so that it continues itself. */
export async function idOf({ id, messages }: Transcript): Promise<string> {
  if (id !== undefined) return id;
  const beginning = messages[0]?.content ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(beginning));
  const digits = Array.from(new Uint8Array(digest).slice(0, 8), (byte) => byte.toString(16).padStart(2, "0"));
  return `pasted-${digits.join("")}`;
}
