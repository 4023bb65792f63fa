import { useState } from "react";
import {
  type AnyVariables,
  type RequestPolicy,
  type TypedDocumentNode,
  useQuery,
  type UseQueryExecute,
  type UseQueryState,
} from "urql";

/** What was answered to what was asked; `asked` are the variables as text. */
interface Kept<Data> {
  readonly asked: string;
  readonly data: Data | undefined;
}

/** Return what to show: the newest answer to what is asked now, or the one before where the newest request failed. */
export function keptOf<Data>(
  kept: Kept<Data>,
  asked: string,
  answer: { readonly asked: string | undefined; readonly data: Data | undefined },
): Kept<Data> {
  const data = answer.asked === asked ? answer.data : undefined;
  if (kept.asked !== asked) return { asked, data };
  return data === undefined || data === kept.data ? kept : { asked, data };
}

interface KeptQueryArgs<Data, Variables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  readonly pause?: boolean;
  readonly requestPolicy?: RequestPolicy;
}

type KeptState<Data, Variables extends AnyVariables> = Omit<UseQueryState<Data, Variables>, "data"> & {
  readonly data: Data | undefined;
};

/** `useQuery` whose data stay through requests that fail; other variables begin without data. */
export function useKeptQuery<Data, Variables extends AnyVariables>(
  args: KeptQueryArgs<Data, Variables>,
): [KeptState<Data, Variables>, UseQueryExecute] {
  const [answer, ask] = useQuery<Data, Variables>(args);
  const asked = JSON.stringify(args.variables);
  const [kept, setKept] = useState<Kept<Data>>({ asked, data: undefined });
  const answered = answer.operation && JSON.stringify(answer.operation.variables);
  const next = keptOf(kept, asked, { asked: answered, data: answer.data });
  if (next !== kept) setKept(next);
  return [{ ...answer, data: next.data }, ask];
}
