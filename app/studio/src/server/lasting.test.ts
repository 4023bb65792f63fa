import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lasting } from "./lasting";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const failed = (code: string) => [{ message: "it ended", extensions: { code } }];

/** Subscribe to a server that is played here. */
function subscribed() {
  const told: unknown[] = [];
  const begun: Parameters<Parameters<typeof lasting>[0]>[0][] = [];
  let ended = 0;
  let missed = 0;
  const end = lasting(
    (sink) => {
      begun.push(sink);
      return () => (ended += 1);
    },
    {
      next: (result) => told.push(result),
      error: (error) => told.push({ error }),
      complete: () => told.push("complete"),
    },
    () => (missed += 1),
  );
  const last = () => begun.at(-1);
  return { told, last, end, count: () => ({ begun: begun.length, ended, missed }) };
}

test.each(["UNAVAILABLE", "RATE_LIMITED"])("a subscription that ends with %s is begun again", (code) => {
  const { told, last, count } = subscribed();

  last()?.next({ data: null, errors: failed(code) });
  last()?.complete();
  expect(count()).toEqual({ begun: 1, ended: 0, missed: 0 });
  vi.advanceTimersByTime(500);
  expect(count()).toEqual({ begun: 2, ended: 0, missed: 1 });

  last()?.error(failed(code));
  vi.advanceTimersByTime(999);
  expect(count().begun).toBe(2);
  vi.advanceTimersByTime(1);
  last()?.next({ data: "event" });
  expect(count()).toEqual({ begun: 3, ended: 0, missed: 2 });
  expect(told).toEqual([{ data: "event" }]);
});

test("so is one that ends without a word, after at most ten seconds and soon where events came since", () => {
  const { last, count } = subscribed();
  for (let times = 1; times <= 8; times++) {
    last()?.complete();
    vi.advanceTimersByTime(10_000);
    expect(count().begun).toBe(times + 1);
  }

  last()?.next({ data: "event" });
  last()?.complete();
  vi.advanceTimersByTime(500);
  expect(count().begun).toBe(10);
});

test("what is refused is passed on with its end", () => {
  const refused = { data: null, errors: failed("FORBIDDEN") };
  const { told, last, count } = subscribed();
  last()?.next(refused);
  last()?.complete();
  last()?.error(failed("UNAUTHENTICATED"));

  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([refused, "complete", { error: failed("UNAUTHENTICATED") }]);
  expect(count()).toEqual({ begun: 1, ended: 0, missed: 0 });
});

test("one that nobody wants any more is not begun again", () => {
  const { told, last, end, count } = subscribed();
  last()?.complete();
  end();
  last()?.complete();

  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["complete"]);
  expect(count()).toEqual({ begun: 1, ended: 1, missed: 0 });
});
