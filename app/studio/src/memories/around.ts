const AROUND = 2; // messages before and after

/**
 * Return the message that a memory comes from and those around it; the first ones where it comes from none of them.
 *
 * Undefined where it is not among the messages that were loaded.
 */
export function around<Message extends { readonly messageId: string }>(
  messages: readonly Message[],
  messageId: string | null | undefined,
): readonly Message[] | undefined {
  if (messageId === null || messageId === undefined) return messages.slice(0, AROUND);
  const at = messages.findIndex((message) => message.messageId === messageId);
  return at < 0 ? undefined : messages.slice(Math.max(0, at - AROUND), at + AROUND + 1);
}
