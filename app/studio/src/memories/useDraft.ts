import { readSessionStorageValue, useSessionStorage } from "@mantine/hooks";
import { useAccount } from "../server/account";
import { draftName } from "./drafts";

/**
 * Keep what is being typed in this tab, through an expired session and a reload, until it is cleared or somebody signs
 * out; whoever signs in with another key does not see it.
 *
 * The last function clears what was sent, unless something else was typed since, and returns whether it did.
 */
export function useDraft<T>(
  name: string,
  nothing: T,
): [T, (draft: T | ((current: T) => T)) => void, () => void, (sent: T) => boolean] {
  const key = draftName(useAccount().keyId, name);
  const [draft, setDraft, clear] = useSessionStorage<T>({ key, defaultValue: nothing });
  const clearSent = (sent: T) => {
    const now = readSessionStorageValue<T>({ key, defaultValue: sent }); // whoever sent it may be closed by now
    const isSame = JSON.stringify(now) === JSON.stringify(sent);
    if (isSame) clear();
    return isSame;
  };
  return [draft, setDraft, clear, clearSent];
}
