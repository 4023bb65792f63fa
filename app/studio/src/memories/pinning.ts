/** The tag of what belongs into every context, as the server knows it. */
export const PINNED = "pinned";

/** Tell whether tags hold it or one below it, in letters of either case, as the server reads them. */
export const isPinned = (tags: readonly string[]): boolean =>
  tags.some((tag) => /^pinned(?=$|[:/])/i.test(tag.trim()));
