const AGAIN: readonly unknown[] = ["UNAVAILABLE", "RATE_LIMITED"]; // events may have been missed; nothing was refused
const LEAST_PATIENCE_MS = 500;
const MOST_PATIENCE_MS = 10_000;

/** How long to wait before one more attempt, after so many. */
export function patience(attempts: number): number {
  return Math.min(LEAST_PATIENCE_MS * 2 ** attempts, MOST_PATIENCE_MS);
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[] | undefined;
}

interface Sink<Result> {
  readonly next: (result: Result) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

function isOnlyMissed(errors: unknown): boolean {
  if (!Array.isArray(errors)) return false;
  return errors.some((each: { extensions?: { code?: unknown } }) => AGAIN.includes(each.extensions?.code));
}

/**
 * Subscribe, and begin again where the server ends that by itself; `missed` is called each time it was begun again.
 *
 * What was refused is passed on, with its end. The function returned ends the subscription.
 */
export function lasting<Result extends Answer>(
  subscribe: (sink: Sink<Result>) => () => void,
  sink: Sink<Result>,
  missed: () => void,
): () => void {
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isRefused = false;
  const again = () => {
    timer = setTimeout(() => {
      end = begin();
      missed();
    }, patience(attempts++));
  };
  const begin = () =>
    subscribe({
      next: (result) => {
        const isEmpty = result.data === undefined || result.data === null;
        if (isEmpty && isOnlyMissed(result.errors)) return;
        isRefused = isEmpty && result.errors !== undefined;
        if (!isEmpty) attempts = 0;
        sink.next(result);
      },
      error: (error) => {
        if (!isOver && isOnlyMissed(error)) again();
        else sink.error(error);
      },
      complete: () => {
        if (isOver || isRefused) sink.complete();
        else again();
      },
    });
  let end = begin();
  return () => {
    isOver = true;
    clearTimeout(timer);
    end();
  };
}
