import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { CombinedError } from "urql";
import { reasonOf } from "../server/client";
import { useNotices } from "./useNotices";

interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
}

export interface Answers {
  /** Say that something was done. */
  readonly say: (text: string) => void;
  /** Say that something was not done, and why. */
  readonly complain: (reason: string | undefined) => void;
  /** Return what a mutation answered; undefined, with a complaint, where it was refused. */
  readonly taken: <Data>(work: Promise<Answer<Data>>) => Promise<Data | undefined>;
}

/** Return how a page tells in passing what the server made of what somebody did. */
export function useAnswers(): Answers {
  const { t } = useTranslation();
  const { say, refuse } = useNotices();
  return useMemo(() => {
    const complain = (reason: string | undefined) => refuse(t("home.notDone"), reason);
    return {
      say,
      complain,
      async taken(work) {
        const { data, error } = await work;
        if (error === undefined && data !== undefined) return data;
        complain(reasonOf(error));
        return undefined;
      },
    };
  }, [t, say, refuse]);
}
