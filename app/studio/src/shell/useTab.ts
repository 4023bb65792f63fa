import { useAddress } from "./useAddress";

const TAB = "tab";

/** Return the tab that the address names, one of `names`, the first without; and what shows another one. */
export function useTab<Name extends string>(
  names: readonly [Name, ...Name[]],
): [Name, (name: string | null) => void] {
  const { search, change } = useAddress();
  const shown = names.find((name) => name === search.get(TAB)) ?? names[0];
  const show = (name: string | null) =>
    change((now) => {
      const kept = ["workspace"].flatMap((each) => (now.has(each) ? [[each, now.get(each) ?? ""]] : []));
      return new URLSearchParams([...kept, [TAB, name ?? names[0]]]);
    });
  return [shown, show];
}
