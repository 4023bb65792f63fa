const DRAFT = "recollect.draft.";

/** Return the name under which a draft of whoever signed in with a key is kept. */
export function draftName(keyId: string, name: string): string {
  return `${DRAFT}${keyId}.${name}`;
}

/** What was typed into a text, and what that was when it was begun. */
export interface TypedText {
  readonly content?: string;
  readonly over?: string;
}

/** Return a draft with what was typed now in the place of what is stored. */
export function withText<Draft extends TypedText>(draft: Draft, content: string, stored: string): Draft {
  return { ...draft, content, over: draft.over ?? stored };
}

/** Return whether saving what was typed takes back what others wrote since. */
export function takesBack({ content, over }: TypedText, stored: string): boolean {
  return content !== undefined && over !== undefined && over !== stored && content.trim() !== stored;
}

/** Return what was typed while `sent` was on its way. */
export function typedSince<Values extends object>(
  current: Partial<Values>,
  sent: Partial<Values>,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(current).filter(([name, value]) => value !== sent[name as keyof Values]),
  ) as Partial<Values>;
}

/** Remove what was typed in this tab, but for what was typed with a key. */
export function forgetDrafts(
  storage: Pick<Storage, "length" | "key" | "removeItem">,
  keptKeyId?: string,
): void {
  const kept = keptKeyId === undefined ? undefined : draftName(keptKeyId, "");
  const names = Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? "");
  for (const name of names)
    if (name.startsWith(DRAFT) && (kept === undefined || !name.startsWith(kept))) storage.removeItem(name);
}
