import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Account, AccountContext } from "../server/account";
import { ForWriters } from "./ForWriters";

test.each([
  [["READ"], true],
  [["READ", "WRITE"], false],
  [["ADMIN"], false],
] as const)("a key that may %s finds what changes something disabled: %s", (scopes, isDisabled) => {
  const account = { keyId: "k", name: "Ada", workspaceId: "w", scopes } as unknown as Account;
  const shown = renderToStaticMarkup(
    <AccountContext value={account}>
      <ForWriters>
        <button>Delete</button>
      </ForWriters>
    </AccountContext>,
  );

  expect(shown).toContain("<button>Delete</button>");
  expect(shown.includes('disabled=""')).toBe(isDisabled);
});
