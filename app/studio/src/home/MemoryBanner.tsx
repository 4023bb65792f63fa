import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { Power } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { MemorySwitchDocument, SwitchMemoryDocument } from "../../generated/operations";
import { useMayWrite } from "../server/account";
import { useKeptQuery } from "../shell/useKeptQuery";
import { useNotices } from "../shell/useNotices";

/** The banner on pages of conversations, which stay empty while the memory of the workspace is off. */
export function MemoryOff({ workspaceId }: { readonly workspaceId: string | null }) {
  const [{ data }, ask] = useKeptQuery({ query: MemorySwitchDocument, variables: { workspaceId } });
  if (data?.workspace?.memoryEnabled !== false) return null;
  return (
    <MemoryBanner workspaceId={data.workspace.id} onDone={() => ask({ requestPolicy: "network-only" })} />
  );
}

/** Where memory is off: what that means, and how it is switched on. */
export function MemoryBanner({
  workspaceId,
  onDone,
}: {
  readonly workspaceId: string;
  readonly onDone: () => void;
}) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const mayWrite = useMayWrite();
  const [{ fetching }, change] = useMutation(SwitchMemoryDocument);
  const turnOn = async () => {
    if ((await dataOf(change({ workspaceId, isOn: true }))) !== undefined) say(t("home.memoryIsOn"));
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
