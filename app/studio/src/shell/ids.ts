const BYTES = 16;
const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** Return an id that nothing else has: 128 random bits, also over plain http, where `randomUUID` is missing. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Return 16 digits that tell texts apart that nobody made to be mistaken for each other: FNV-1a of 64 bits
 * (draft-eastlake-fnv), since `crypto.subtle` is missing over plain http.
 */
export function digestOf(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(16).padStart(16, "0");
}
