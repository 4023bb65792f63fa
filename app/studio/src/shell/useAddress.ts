import { useCallback } from "react";
import { type NavigateOptions, useSearchParams } from "react-router";

type Change = (now: URLSearchParams) => URLSearchParams;
type Values = Readonly<Record<string, string | null>>; // null removes a parameter

interface Address {
  readonly search: URLSearchParams;
  readonly change: (change: Change, options?: NavigateOptions) => void;
  readonly put: (values: Values, options?: NavigateOptions) => void;
}

/**
 * Return the parameters of the address, and what changes them.
 *
 * A change starts from the address as it is now, not as it was drawn last: two that follow each other both count.
 */
export function useAddress(): Address {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: Change, options?: NavigateOptions) =>
      setSearch(next(new URLSearchParams(location.search)), options),
    [setSearch],
  );
  const put = useCallback(
    (values: Values, options?: NavigateOptions) =>
      change((now) => {
        for (const [name, value] of Object.entries(values))
          if (value === null) now.delete(name);
          else now.set(name, value);
        return now;
      }, options),
    [change],
  );
  return { search, change, put };
}
