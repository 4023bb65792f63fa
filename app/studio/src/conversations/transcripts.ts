import type { MessageInput, MessageRole } from "../../generated/operations";
import { digestOf } from "../shell/ids";

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
const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const MOST_OF_NAME = 60; // characters
const COPIED = "###"; // the level of the headings in which a transcript is copied here
const ESCAPED = /^\\(?=\\*###[ \t])/; // what is said in one of those looks like such a heading
const NAMED_ROLE = /^(\S.*) \((user|assistant|system|tool)\)$/;
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

function isRoleName(name: string): boolean {
  return name.toLowerCase() in ROLE_NAMES;
}

function spoken(name: string, content: string): MessageInput {
  const [, speaker, part] = NAMED_ROLE.exec(name) ?? [];
  if (speaker !== undefined && part !== undefined) return { speaker, content, role: ROLE_NAMES[part] };
  const role = ROLE_NAMES[name.toLowerCase()];
  return role === undefined ? { speaker: name, content, role: "USER" } : { role, content };
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

interface Part {
  readonly name: string;
  readonly lines: string[];
}

interface Heading {
  readonly level: string;
  readonly name: string;
}

function headingIn(line: string): Heading | undefined {
  const [, level, found] = HEADING.exec(line) ?? [];
  const name = found?.trim();
  if (level === undefined || name === undefined) return undefined;
  return level === COPIED || name.length <= MOST_OF_NAME ? { level, name } : undefined;
}

/** Return the level of the headings in which speakers stand; undefined where they stand in none. */
function levelOf(lines: readonly string[]): string | undefined {
  if (headingIn(lines.find((line) => line.trim() !== "") ?? "") === undefined) return undefined;
  const headings = lines.map(headingIn).filter((heading) => heading !== undefined);
  const first = headings[0];
  if (first?.level === COPIED) return COPIED; // others of its level are escaped, those of other levels are what is said
  return (headings.find(({ name }) => isRoleName(name)) ?? first)?.level;
}

/** Return what stands under the headings of a level. */
function underHeadings(lines: readonly string[], level: string): Part[] {
  const parts: Part[] = [];
  for (const line of lines) {
    const heading = headingIn(line);
    if (heading?.level === level) parts.push({ name: heading.name, lines: [] });
    else parts.at(-1)?.lines.push(level === COPIED ? line.replace(ESCAPED, "") : line);
  }
  return parts;
}

/** Return what stands behind names and colons; beside "User:" and "Assistant:", other words are what these say. */
function behindColons(lines: readonly string[]): Part[] {
  const names = lines.flatMap((line) => PREFIX.exec(line)?.[1]?.trim() ?? []);
  const hasRoles = names.some(isRoleName);
  const parts: Part[] = [];
  for (const line of lines) {
    const [, name, rest] = PREFIX.exec(line) ?? [];
    if (name !== undefined && (!hasRoles || isRoleName(name.trim())))
      parts.push({ name: name.trim(), lines: [rest ?? ""] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** Return what speakers say under headings, as a transcript is copied; without any, behind their names and colons. */
function fromText(whole: string): MessageInput[] {
  const lines = whole.split(/\r?\n/);
  const level = levelOf(lines);
  return (level === undefined ? behindColons(lines) : underHeadings(lines, level))
    .map(({ name, lines: theirs }) => spoken(name, theirs.join("\n").replace(/^\n+/, "").trimEnd()))
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

const speakerOf = ({ role, speaker }: MessageInput) => `${role ?? ""} ${speaker ?? ""}`;

/** Return how a conversation begins: what was said up to the first reply; without one, what was said first. */
function beginningOf(messages: readonly MessageInput[]): readonly MessageInput[] {
  const isTalk = ({ role }: MessageInput) => role !== "SYSTEM" && role !== "TOOL";
  const first = messages.findIndex(isTalk);
  const asks = messages[first];
  if (asks === undefined) return messages.slice(0, 1);
  const reply = messages.findIndex((each) => isTalk(each) && speakerOf(each) !== speakerOf(asks));
  return messages.slice(0, (reply < 0 ? first : reply) + 1);
}

/**
 * Return the ids under which transcripts of one file are stored. One without an id gets the same as before where it
 * begins as before, so that it continues itself; others of the file that begin alike are numbered.
 */
export function idsOf(transcripts: readonly Transcript[]): string[] {
  const counts = new Map<string, number>();
  return transcripts.map(({ id, messages }) => {
    if (id !== undefined) return id;
    const beginning = beginningOf(messages).map((message) => [speakerOf(message), message.content]);
    const own = `pasted-${digestOf(JSON.stringify(beginning))}`;
    const count = (counts.get(own) ?? 0) + 1;
    counts.set(own, count);
    return count === 1 ? own : `${own}-${count}`;
  });
}
