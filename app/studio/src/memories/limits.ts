/** The longest text of a memory, as a server accepts it that is not set otherwise. */
export const MOST_CHARACTERS = 2000;
