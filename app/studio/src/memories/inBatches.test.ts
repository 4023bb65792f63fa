import { expect, test } from "vitest";
import { inBatches } from "./inBatches";

const NUMBERS = Array.from({ length: 250 }, (_, number) => number);

test("entries that are refused are named by their lines, and those after them are sent", async () => {
  const sent: number[] = [];
  const places: number[] = [];
  const done = await inBatches(
    NUMBERS,
    0,
    (batch) => {
      sent.push(...batch);
      const errors = batch.flatMap((each, index) =>
        each % 110 === 3 ? [{ index, message: "too long" }] : [],
      );
      return Promise.resolve({ errors });
    },
    (next) => places.push(next),
  );

  expect(done).toEqual({
    next: 250,
    refused: [4, 114, 224].map((line) => ({ line, reason: "too long" })),
  });
  expect(sent).toEqual(NUMBERS);
  expect(places).toEqual([0, 100, 200]);
});

test("where a batch does not get there it stops, and goes on from that one", async () => {
  const none = () => undefined;
  const lost = await inBatches(
    NUMBERS,
    0,
    (batch) => Promise.resolve(batch[0] === 100 ? { reason: "gone" } : { errors: [] }),
    none,
  );
  expect(lost).toEqual({ next: 100, refused: [], reason: "gone" });

  const rest: number[] = [];
  await inBatches(NUMBERS, 100, (batch) => Promise.resolve({ errors: [], count: rest.push(...batch) }), none);
  expect(rest).toEqual(NUMBERS.slice(100));
});
