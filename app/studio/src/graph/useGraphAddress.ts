import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router";
import { type GraphAddress, readGraph, writeGraph } from "./address";

type Change = (now: GraphAddress) => Partial<GraphAddress>;

const NOTHING = readGraph({ search: new URLSearchParams(), hash: "" });

/** What the address says of the graph, and what changes it. */
export interface GraphAddressState {
  readonly graph: GraphAddress;
  readonly length: number; // of the part that servers never see, in characters
  /** Change parts of it; by a step of its own that leads back, unless `replace`. */
  readonly put: (change: Partial<GraphAddress> | Change, replace?: boolean) => void;
  /** Go back to the overview. */
  readonly reset: () => void;
}

/** Return what is drawn as the address has it; changes start from the address as it is, as those of `useAddress` do. */
export function useGraphAddress(): GraphAddressState {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const graph = useMemo(() => readGraph({ search: new URLSearchParams(search), hash }), [search, hash]);
  const put = useCallback<GraphAddressState["put"]>(
    (change, replace = true) => {
      const now = new URLSearchParams(location.search);
      const before = readGraph({ search: now, hash: location.hash });
      const part = typeof change === "function" ? change(before) : change;
      const next = writeGraph({ ...before, ...part }, now);
      void navigate({ search: next.search.toString(), hash: next.hash }, { replace });
    },
    [navigate],
  );
  return { graph, length: hash.length, put, reset: () => put(NOTHING, false) };
}
