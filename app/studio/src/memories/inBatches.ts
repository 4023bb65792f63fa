export const BATCH = 100; // memories sent at once

/** Why an entry of a file was not saved; `line` counts from 1. */
export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/** What became of a batch: which of it were refused, or why it did not get there as a whole. */
type Taken =
  | { readonly errors: readonly { readonly index: number; readonly message: string }[] }
  | { readonly reason: string | undefined };

interface Sent {
  readonly next: number; // place from which there is more to send
  readonly refused: readonly Refusal[];
  readonly reason?: string | undefined;
}

/** Send all from a place on, batch by batch, up to a batch that did not get there; `onNext` is told how far it came. */
export async function inBatches<Input>(
  inputs: readonly Input[],
  from: number,
  send: (batch: readonly Input[]) => Promise<Taken>,
  onNext: (next: number) => void,
): Promise<Sent> {
  const refused: Refusal[] = [];
  for (let at = from; at < inputs.length; at += BATCH) {
    onNext(at);
    const taken = await send(inputs.slice(at, at + BATCH));
    if ("reason" in taken) return { next: at, refused, reason: taken.reason };
    refused.push(...taken.errors.map(({ index, message }) => ({ line: at + index + 1, reason: message })));
  }
  return { next: inputs.length, refused };
}
