import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CombinedError } from "urql";
import { reasonOf } from "../server/client";
import { Failure } from "./Failure";
import { FailureLine } from "./FailureLine";
import { Loading } from "./Loading";

export interface AnsweredProps<Thing> {
  readonly answer: { readonly fetching: boolean; readonly error?: CombinedError | undefined };
  readonly thing: Thing | null | undefined; // of the answer
  readonly height: number; // of the place that is held while it loads
  readonly withCard?: boolean; // around what failed
  readonly failed?: string; // the title where it could not be loaded
  readonly gone?: ReactNode; // where there is no such thing
  readonly onRetry: () => void;
  readonly children: (thing: Thing) => ReactNode;
}

/** What a query answered: it loads, it failed, it is gone, or the thing; a line tells where it is not the newest. */
export function Answered<Thing>({ answer, thing, height, failed, gone, ...rest }: AnsweredProps<Thing>) {
  const { t } = useTranslation();
  const { error, fetching } = answer;
  const { withCard = false, onRetry, children } = rest;
  const why = { reason: reasonOf(error), onRetry };
  const className = withCard ? "card" : undefined;
  if (thing !== null && thing !== undefined)
    return (
      <>
        {error !== undefined && (
          <div className={className}>
            <FailureLine {...why} />
          </div>
        )}
        {children(thing)}
      </>
    );
  if (error !== undefined && !fetching)
    return (
      <div className={className}>
        <Failure title={failed ?? t("shell.notLoaded")} {...why} />
      </div>
    );
  return fetching || gone === undefined ? <Loading height={height} /> : gone;
}
