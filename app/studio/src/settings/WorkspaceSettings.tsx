import { Alert, Switch } from "@mantine/core";
import { Lock, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useClient, useMutation } from "urql";
import {
  ChangeSettingsDocument,
  MemorySwitchDocument,
  SettingsInForceDocument,
  SwitchMemoryDocument,
  type UpdateSettingsInput,
} from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ForWriters } from "../shell/ForWriters";
import { useNotices } from "../shell/useNotices";
import { useKeptQuery } from "../shell/useKeptQuery";
import { SettingsForm } from "./SettingsForm";

/** The settings in force for the workspace that is shown, to change. */
export function WorkspaceSettings({ isAdmin }: { readonly isAdmin: boolean }) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const client = useClient();
  const { say } = useNotices();
  const [answer, ask] = useKeptQuery({
    query: SettingsInForceDocument,
    variables: { workspaceId },
    pause: !isAdmin,
  });
  const [, change] = useMutation(ChangeSettingsDocument);

  if (!isAdmin)
    return (
      <>
        <MemorySwitch />
        <Alert mt="md" icon={<Lock size={16} />}>
          {t("settings.adminOnly")}
        </Alert>
      </>
    );
  const save = async (input: UpdateSettingsInput): Promise<string | undefined> => {
    const { error } = await change({ workspaceId, input });
    if (error !== undefined) return reasonOf(error);
    say(t("settings.saved"));
    await client.query(SettingsInForceDocument, { workspaceId }, { requestPolicy: "network-only" });
    return undefined;
  };
  return (
    <Loaded answer={answer} data={answer.data?.settings} height={320} onRetry={() => ask()}>
      {(settings) => (
        <>
          {settings.enabled && (
            <Alert
              mb="md"
              color="yellow"
              icon={<TriangleAlert size={16} aria-hidden />}
              title={t("settings.costTitle")}
            >
              {t("settings.cost", { count: settings.maxTokens })}
            </Alert>
          )}
          <SettingsForm key={workspaceId} settings={settings} onSave={save} />
        </>
      )}
    </Loaded>
  );
}

/** The switch of the workspace's memory, for members that may write. */
function MemorySwitch() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { dataOf } = useNotices();
  const [answer, ask] = useKeptQuery({ query: MemorySwitchDocument, variables: { workspaceId } });
  const [{ fetching }, change] = useMutation(SwitchMemoryDocument);
  const switchTo = async (isOn: boolean) => {
    await dataOf(change({ workspaceId, isOn }));
    ask();
  };
  return (
    <Loaded answer={answer} data={answer.data?.workspace} height={32} onRetry={() => ask()}>
      {({ memoryEnabled }) => (
        <ForWriters>
          <Switch
            label={t("settings.enabled")}
            checked={memoryEnabled}
            disabled={fetching}
            onChange={(event) => void switchTo(event.currentTarget.checked)}
          />
        </ForWriters>
      )}
    </Loaded>
  );
}
