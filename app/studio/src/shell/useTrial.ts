import { useCallback, useRef, useState } from "react";

interface Told<Answer> {
  readonly asked: string;
  readonly answer: Answer;
}

interface Trial<Input, Answer> {
  /** What was told of just this input; undefined while nothing is. */
  readonly answer: Answer | undefined;
  /** Keep what is told of an input, unless another is asked about meanwhile. */
  readonly tryOut: (input: Input, work: Promise<Answer>) => Promise<void>;
}

/**
 * Return what a dry run told of what would be done now, and what asks for one.
 *
 * It holds for the very input that was tried out: where that was changed since, there is no answer, so whatever is
 * done by one is what was shown.
 */
export function useTrial<Input, Answer>(input: Input): Trial<Input, Answer> {
  const [told, setTold] = useState<Told<Answer>>();
  const last = useRef(0);
  const tryOut = useCallback(async (tried: Input, work: Promise<Answer>) => {
    const number = ++last.current;
    setTold(undefined);
    const answer = await work;
    if (number === last.current) setTold({ asked: JSON.stringify(tried), answer });
  }, []);
  return { answer: told?.asked === JSON.stringify(input) ? told.answer : undefined, tryOut };
}
