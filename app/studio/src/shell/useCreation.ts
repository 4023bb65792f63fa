import { useState } from "react";
import type { CombinedError } from "urql";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";

interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
}

export interface Creation<Typed> {
  readonly typed: Typed;
  readonly put: (part: Partial<Typed>) => void;
  readonly refusal: string | undefined; // of what was sent last, until something else is typed
  readonly send: () => Promise<void>;
}

/**
 * Return what is typed into a dialog that creates something, and what sends it.
 *
 * What is typed is a draft named `name` until it is created. `onCreated` is told whether nothing was typed meanwhile.
 */
export function useCreation<Typed extends object, Data>(
  name: string,
  nothing: Typed,
  create: (typed: Typed) => Promise<Answer<Data>>,
  onCreated: (data: Data, isSame: boolean) => void,
): Creation<Typed> {
  const [typed, setTyped, , clearSent] = useDraft(name, nothing);
  const [refusal, setRefusal] = useState<string>();
  const put = (part: Partial<Typed>) => {
    setRefusal(undefined);
    setTyped((now) => ({ ...now, ...part }));
  };
  const send = async () => {
    const { data, error } = await create(typed);
    if (data === undefined) setRefusal(reasonOf(error));
    else onCreated(data, clearSent(typed));
  };
  return { typed, put, refusal, send };
}
