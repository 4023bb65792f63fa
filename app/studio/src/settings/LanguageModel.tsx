import { Button, Group, Text } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  LanguageModelDocument,
  type LanguageModelInput,
  RemoveLanguageModelDocument,
  SetLanguageModelDocument,
} from "../../generated/operations";
import { fieldOf, reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Confirm } from "../shell/Confirm";
import { useNotices } from "../shell/useNotices";
import { useKeptQuery } from "../shell/useKeptQuery";
import { LanguageModelForm, type Refusal } from "./LanguageModelForm";

/** The language model that the workspace uses in place of the deployment's: chosen, changed, removed. */
export function LanguageModel() {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({ query: LanguageModelDocument, variables: { workspaceId } });
  const [, set] = useMutation(SetLanguageModelDocument);
  const [, remove] = useMutation(RemoveLanguageModelDocument);
  const [isRemoving, setRemoving] = useState(false);
  const reload = () => ask({ requestPolicy: "network-only" });
  const save = async (input: LanguageModelInput): Promise<Refusal | undefined> => {
    const { error } = await set({ workspaceId, input });
    if (error !== undefined) return { field: fieldOf(error), reason: reasonOf(error) ?? t("home.notDone") };
    say(t("model.saved"));
    reload();
    return undefined;
  };
  const confirm = async () => {
    setRemoving(false);
    if ((await dataOf(remove({ workspaceId }))) === undefined) return;
    say(t("model.removed"));
    reload();
  };
  return (
    <Loaded answer={answer} data={answer.data} height={320} onRetry={reload}>
      {({ languageModel: own = null }) => (
        <>
          <Text size="sm" c="dimmed" mb="md">
            {t("model.text")}
          </Text>
          <div className="card">
            <Group justify="space-between" p="md" role="status" aria-label={t("model.inUse")}>
              <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }} flex="1 1 200px">
                {own === null ? t("model.deployments") : t("model.own", { model: own.model, url: own.url })}
              </Text>
              {own !== null && (
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  leftSection={<Trash2 size={14} aria-hidden />}
                  onClick={() => setRemoving(true)}
                >
                  {t("model.remove")}
                </Button>
              )}
            </Group>
            <LanguageModelForm key={workspaceId} own={own} onSave={save} />
          </div>
          <Confirm
            opened={isRemoving}
            title={t("model.removeTitle")}
            action={t("model.remove")}
            onClose={() => setRemoving(false)}
            onConfirm={() => void confirm()}
          >
            <Text size="sm">{t("model.removeText")}</Text>
          </Confirm>
        </>
      )}
    </Loaded>
  );
}
