import { Alert } from "@mantine/core";
import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../server/account";
import { TabbedPage } from "../shell/TabbedPage";
import { AuditLog } from "./AuditLog";
import { Keys } from "./Keys";
import { LanguageModel } from "./LanguageModel";
import { Users } from "./Users";
import { Webhooks } from "./Webhooks";
import { WorkspaceSettings } from "./WorkspaceSettings";

const TABS = ["memory", "model", "keys", "users", "webhooks", "audit"] as const;

/** What a workspace's administrator decides: how its memory works, who may use it, and who is told of what happens. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { scopes } = useAccount();
  const isAdmin = scopes.includes("ADMIN");
  const names = {
    memory: t("settings.memory"),
    model: t("model.title"),
    keys: t("keys.title"),
    users: t("users.title"),
    webhooks: t("webhooks.title"),
    audit: t("audit.title"),
  };
  const panels = {
    memory: <WorkspaceSettings isAdmin={isAdmin} />,
    model: <LanguageModel />,
    keys: <Keys />,
    users: <Users />,
    webhooks: <Webhooks />,
    audit: <AuditLog />,
  };
  return (
    <TabbedPage
      title={t("settings.title")}
      description={t("settings.description")}
      width={860}
      tabs={TABS}
      nameOf={(name) => names[name]}
    >
      {(tab) =>
        isAdmin || tab === "memory" ? ( // which says so itself
          panels[tab]
        ) : (
          <Alert icon={<Lock size={16} aria-hidden />}>{t("settings.adminOnly")}</Alert>
        )
      }
    </TabbedPage>
  );
}
