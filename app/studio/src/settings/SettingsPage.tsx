import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useAccount } from "../server/account";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { Keys } from "./Keys";
import { WorkspaceSettings } from "./WorkspaceSettings";

const TAB = "tab";

/** What a workspace's administrator decides: how its memory works, and which keys open it. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { scopes } = useAccount();
  const [search, setSearch] = useAddress();
  const show = (tab: string | null) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      next.set(TAB, tab ?? "memory");
      return next;
    });
  const isAdmin = scopes.includes("ADMIN");
  return (
    <Page title={t("settings.title")} description={t("settings.description")} width={860}>
      <Tabs value={search.get(TAB) ?? "memory"} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="memory">{t("settings.memory")}</Tabs.Tab>
          <Tabs.Tab value="keys">{t("keys.title")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="memory">
          <WorkspaceSettings isAdmin={isAdmin} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <Keys isAdmin={isAdmin} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
