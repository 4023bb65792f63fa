import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router";
import { type GraphAddress, readGraph, writeGraph } from "./address";

type Change = (now: GraphAddress) => Partial<GraphAddress>;

const NOTHING = readGraph(new URLSearchParams());

/** What the address says of the graph, and what changes it. */
interface GraphAddressState {
  readonly graph: GraphAddress;
  /** Change parts of it; by a step of its own that leads back, unless `replace`. */
  readonly put: (change: Partial<GraphAddress> | Change, replace?: boolean) => void;
  /** Go back to the overview. */
  readonly reset: () => void;
}

/** Return what is drawn as the address has it; changes start from the address as it is, as those of `useAddress` do. */
export function useGraphAddress(): GraphAddressState {
  const { search } = useLocation();
  const navigate = useNavigate();
  const graph = useMemo(() => readGraph(new URLSearchParams(search)), [search]);
  const put = useCallback<GraphAddressState["put"]>(
    (change, replace = true) => {
      const now = new URLSearchParams(location.search);
      const before = readGraph(now);
      const part = typeof change === "function" ? change(before) : change;
      void navigate({ search: writeGraph({ ...before, ...part }, now).toString() }, { replace });
    },
    [navigate],
  );
  return { graph, put, reset: () => put(NOTHING, false) };
}
