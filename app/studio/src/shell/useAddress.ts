import { useCallback } from "react";
import { type NavigateOptions, useSearchParams } from "react-router";

type Change = (now: URLSearchParams) => URLSearchParams;

/**
 * Return the parameters of the address, and what changes them.
 *
 * A change starts from the address as it is now, not as it was drawn last: two that follow each other both count.
 */
export function useAddress(): [URLSearchParams, (change: Change, options?: NavigateOptions) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: Change, options?: NavigateOptions) =>
      setSearch(next(new URLSearchParams(location.search)), options),
    [setSearch],
  );
  return [search, change];
}
