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
import { Failure } from "../shell/Failure";
import { FailureLine } from "../shell/FailureLine";
import { ForWriters } from "../shell/ForWriters";
import { Loading } from "../shell/Loading";
import { useAnswers } from "../shell/useAnswers";
import { useKeptQuery } from "../shell/useKeptQuery";
import { SettingsForm } from "./SettingsForm";

/** The settings in force for the workspace that is shown, to change. */
export function WorkspaceSettings({ isAdmin }: { readonly isAdmin: boolean }) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const client = useClient();
  const { say } = useAnswers();
  const [{ data, error, fetching }, ask] = useKeptQuery({
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
  if (error !== undefined && data === undefined && !fetching)
    return <Failure title={t("shell.notLoaded")} reason={reasonOf(error)} onRetry={() => ask()} />;
  if (data === undefined) return <Loading height={320} />;

  const save = async (input: UpdateSettingsInput): Promise<string | undefined> => {
    const answer = await change({ workspaceId, input });
    if (answer.error !== undefined) return reasonOf(answer.error);
    say(t("settings.saved"));
    await client.query(SettingsInForceDocument, { workspaceId }, { requestPolicy: "network-only" });
    return undefined;
  };
  return (
    <>
      {error !== undefined && <FailureLine reason={reasonOf(error)} onRetry={() => ask()} />}
      {data.settings.enabled && (
        <Alert
          mb="md"
          color="yellow"
          icon={<TriangleAlert size={16} aria-hidden />}
          title={t("settings.costTitle")}
        >
          {t("settings.cost", { count: data.settings.maxTokens })}
        </Alert>
      )}
      <SettingsForm key={workspaceId} settings={data.settings} onSave={save} />
    </>
  );
}

/** The switch of the workspace's memory, for members that may write. */
function MemorySwitch() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const { taken } = useAnswers();
  const [{ data, error }, ask] = useKeptQuery({ query: MemorySwitchDocument, variables: { workspaceId } });
  const [{ fetching }, change] = useMutation(SwitchMemoryDocument);
  if (error !== undefined && data === undefined)
    return <Failure title={t("shell.notLoaded")} reason={reasonOf(error)} onRetry={() => ask()} />;
  if (!data?.workspace) return <Loading height={32} />;
  const switchTo = async (isOn: boolean) => {
    await taken(change({ workspaceId, isOn }));
    ask();
  };
  return (
    <ForWriters>
      <Switch
        label={t("settings.enabled")}
        checked={data.workspace.memoryEnabled}
        disabled={fetching}
        onChange={(event) => void switchTo(event.currentTarget.checked)}
      />
    </ForWriters>
  );
}
