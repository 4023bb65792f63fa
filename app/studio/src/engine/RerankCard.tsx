import { Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { ChangeEngineDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useAnswers } from "../shell/useAnswers";
import { Card } from "./Card";
import type { EngineSettings } from "./parts";
import { useEdits } from "./useEdits";

interface RerankCardProps {
  readonly settings: EngineSettings;
  readonly onChanged: () => void;
}

/** Whether a second model ranks again what was found, and which; for administrators. */
export function RerankCard({ settings, onChanged }: RerankCardProps) {
  const { t } = useTranslation();
  const { say } = useAnswers();
  const inForce = {
    rerankEnabled: settings.rerankEnabled,
    rerankProviderModel: settings.rerankProviderModel ?? null,
  };
  const { draft = inForce, change, put, discard, saved } = useEdits("rerank", inForce);
  const [refusal, setRefusal] = useState<string>();
  const [{ fetching: isSaving }, send] = useMutation(ChangeEngineDocument);
  const save = async () => {
    const { error } = await send({ input: change });
    setRefusal(reasonOf(error));
    if (error !== undefined) return;
    saved();
    say(t("settings.saved"));
    onChanged();
  };
  return (
    <Card
      title={t("engine.rerank")}
      isChanged={Object.keys(change).length > 0}
      isAdmin
      refusal={refusal}
      isSaving={isSaving}
      onSave={() => void save()}
      onDiscard={discard}
    >
      <Text size="sm" c="dimmed">
        {t("engine.rerankText")}
      </Text>
      <Switch
        label={t("engine.enabled")}
        checked={draft.rerankEnabled}
        onChange={(event) => put({ rerankEnabled: event.currentTarget.checked })}
      />
      <TextInput
        label={t("engine.model")}
        description={t("engine.rerankHint")}
        value={draft.rerankProviderModel ?? ""}
        onChange={(event) => {
          const model = event.currentTarget.value;
          put({ rerankProviderModel: model === "" ? null : model });
        }}
      />
    </Card>
  );
}
