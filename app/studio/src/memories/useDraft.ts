import { useSessionStorage } from "@mantine/hooks";

/** Keep what is being typed in this tab, through an expired session and a reload, until it is cleared. */
export function useDraft<T>(name: string, nothing: T): [T, (draft: T) => void, () => void] {
  const [draft, setDraft, clear] = useSessionStorage<T>({
    key: `recollect.draft.${name}`,
    defaultValue: nothing,
  });
  return [draft, setDraft, clear];
}
