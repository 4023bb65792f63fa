import { createContext, useContext } from "react";
import type { MeQuery } from "../../generated/operations";

export type Account = MeQuery["me"];

export const AccountContext = createContext<Account | undefined>(undefined);

/** Return whose session this is; only for what is shown once somebody is signed in. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("nobody is signed in yet");
  return account;
}

/** Return whether the key may change what is remembered, not only read it. */
export function useMayWrite(): boolean {
  const { scopes } = useAccount();
  return scopes.includes("WRITE") || scopes.includes("ADMIN");
}
