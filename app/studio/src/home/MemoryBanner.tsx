import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { Power } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { SwitchMemoryDocument } from "../../generated/operations";
import { useAccount, useMayWrite } from "../server/account";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { useNotices } from "../shell/useNotices";

/** Where memory is off: what that means, and how it is switched on. */
export function MemoryBanner({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation();
  const { say, refuse } = useNotices();
  const { workspaceId: own } = useAccount();
  const mayWrite = useMayWrite();
  const workspaceId = useWorkspaceId() ?? own;
  const [{ fetching }, change] = useMutation(SwitchMemoryDocument);
  const turnOn = async () => {
    const answer = await change({ workspaceId, isOn: true });
    if (answer.error !== undefined) refuse(t("home.notDone"), reasonOf(answer.error));
    else say(t("home.memoryIsOn"));
    onDone();
  };
  return (
    <Alert
      mb="md"
      color="yellow"
      role="region"
      icon={<Power size={16} aria-hidden />}
      title={t("home.memoryOff")}
    >
      <Group justify="space-between">
        <Text size="sm" flex={1} miw={240}>
          {t("home.memoryOffText")}
        </Text>
        {mayWrite ? (
          <Button loading={fetching} onClick={() => void turnOn()}>
            {t("home.turnOn")}
          </Button>
        ) : (
          <Code>recollect settings set enabled true --workspace {workspaceId}</Code>
        )}
      </Group>
    </Alert>
  );
}
