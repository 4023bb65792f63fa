import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { reasonOf } from "../server/client";
import { Failure, FailureLine } from "./Failure";
import { Loading } from "./Loading";

interface LoadedProps<Data> {
  readonly answer: { readonly fetching: boolean; readonly error?: CombinedError | undefined };
  readonly data: Data | null | undefined; // the part of the answer to show
  readonly height: number; // of the place that is held while it loads
  readonly withCard?: boolean; // around a failure
  readonly failed?: string; // title of a failure
  readonly missing?: ReactNode; // shown where the answer has no such data
  readonly onRetry: () => void;
  readonly children: (data: Data) => ReactNode;
}

/** The data of a query, or its loading, failed or missing state; a line says where the data are not the newest. */
export function Loaded<Data>({
  answer,
  data,
  height,
  withCard,
  failed,
  missing,
  ...rest
}: LoadedProps<Data>) {
  const { error, fetching } = answer;
  const { onRetry, children } = rest;
  const why = { reason: reasonOf(error), onRetry };
  const className = withCard === true ? "card" : undefined;
  if (data !== null && data !== undefined)
    return (
      <>
        {error !== undefined && (
          <div className={className}>
            <FailureLine {...why} />
          </div>
        )}
        {children(data)}
      </>
    );
  if (error !== undefined && !fetching)
    return (
      <div className={className}>
        <Failure title={failed} {...why} />
      </div>
    );
  return fetching || missing === undefined ? <Loading height={height} /> : missing;
}
