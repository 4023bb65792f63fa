import { Center, Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { MeDocument } from "../../generated/operations";
import { forgetDrafts } from "../memories/drafts";
import { AccountContext } from "../server/account";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { Failure } from "./Failure";
import { Shell } from "./Shell";
import { signInAddress } from "./signInAddress";

/** The pages, for whoever is signed in; anybody else is led to the page to sign in on and back again. */
export function SignedIn() {
  const { t } = useTranslation();
  const { contact, epoch } = useServerState();
  const [{ data, error }, ask] = useQuery({ query: MeDocument });
  const [account, setAccount] = useState(data?.me); // stays while the server is gone, and with it what is typed
  if (data !== undefined && data.me !== account) setAccount(data.me);
  const isNobody = account === undefined && contact === "signedOut";

  useEffect(() => {
    if (isNobody) location.replace(signInAddress(location));
  }, [isNobody]);
  const keyId = account?.keyId;
  useEffect(() => {
    if (keyId !== undefined) forgetDrafts(sessionStorage, keyId); // of whoever was signed in before
  }, [keyId]);
  useEffect(() => {
    if (epoch > 0) ask({ requestPolicy: "network-only" });
  }, [epoch, ask]);

  if (account !== undefined) {
    return (
      <AccountContext value={account}>
        <Shell />
      </AccountContext>
    );
  }
  return (
    <Center component="main" h="100vh" p="md">
      {error !== undefined && !isNobody ? (
        <Failure
          title={t("shell.unreachable")}
          reason={reasonOf(error)}
          onRetry={() => ask({ requestPolicy: "network-only" })}
        />
      ) : (
        <Loader size="sm" aria-label={t("shell.loading")} />
      )}
    </Center>
  );
}
