import { Alert, Tabs } from "@mantine/core";
import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../server/account";
import { Page } from "../shell/Page";
import { useTab } from "../shell/useTab";
import { AuditLog } from "./AuditLog";
import { Keys } from "./Keys";
import { Users } from "./Users";
import { Webhooks } from "./Webhooks";
import { WorkspaceSettings } from "./WorkspaceSettings";

const TABS = ["memory", "keys", "users", "webhooks", "audit"] as const;

/** What a workspace's administrator decides: how its memory works, who may use it, and who is told of what happens. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { scopes } = useAccount();
  const [tab, show] = useTab(TABS);
  const isAdmin = scopes.includes("ADMIN");
  const names = {
    memory: t("settings.memory"),
    keys: t("keys.title"),
    users: t("users.title"),
    webhooks: t("webhooks.title"),
    audit: t("audit.title"),
  };
  const onlyAdmin = <Alert icon={<Lock size={16} aria-hidden />}>{t("settings.adminOnly")}</Alert>;
  return (
    <Page title={t("settings.title")} description={t("settings.description")} width={860}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {names[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="memory">
          <WorkspaceSettings isAdmin={isAdmin} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <Keys isAdmin={isAdmin} />
        </Tabs.Panel>
        <Tabs.Panel value="users">{isAdmin ? <Users /> : onlyAdmin}</Tabs.Panel>
        <Tabs.Panel value="webhooks">{isAdmin ? <Webhooks /> : onlyAdmin}</Tabs.Panel>
        <Tabs.Panel value="audit">{isAdmin ? <AuditLog /> : onlyAdmin}</Tabs.Panel>
      </Tabs>
    </Page>
  );
}
