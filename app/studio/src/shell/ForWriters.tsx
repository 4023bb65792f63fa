import type { ReactNode } from "react";
import { useMayWrite } from "../server/account";

/** Controls that change something: disabled for a key that may only read. */
export function ForWriters({ children }: { readonly children: ReactNode }) {
  return (
    <fieldset role="presentation" disabled={!useMayWrite()} style={{ display: "contents" }}>
      {children}
    </fieldset>
  );
}
