import { Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { ChangeEngineDocument } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useAnswers } from "../shell/useAnswers";
import { Card } from "./Card";
import type { EngineCardProps } from "./EmbeddingCard";
import { changed } from "./parts";

/** Whether a second model ranks again what was found, and which. */
export function RerankCard({ state, isAdmin, onChanged }: EngineCardProps) {
  const { t } = useTranslation();
  const { say } = useAnswers();
  const { rerankEnabled, rerankProviderModel } = state.settings;
  const inForce = { rerankEnabled, rerankProviderModel: rerankProviderModel ?? null };
  const [edited, setEdited] = useState<Partial<typeof inForce>>({});
  const draft = { ...inForce, ...edited };
  const change = changed(inForce, draft);
  const [refusal, setRefusal] = useState<string>();
  const [, send] = useMutation(ChangeEngineDocument);
  const save = async () => {
    const { error } = await send({ input: change });
    setRefusal(reasonOf(error));
    if (error !== undefined) return;
    setEdited({});
    say(t("settings.saved"));
    onChanged();
  };
  return (
    <Card
      title={t("engine.rerank")}
      isChanged={Object.keys(change).length > 0}
      isAdmin={isAdmin}
      refusal={refusal}
      onSave={() => void save()}
      onDiscard={() => setEdited({})}
    >
      <Text size="sm" c="dimmed">
        {t("engine.rerankText")}
      </Text>
      <Switch
        label={t("engine.enabled")}
        checked={draft.rerankEnabled}
        disabled={!isAdmin}
        onChange={(event) => setEdited({ ...edited, rerankEnabled: event.currentTarget.checked })}
      />
      <TextInput
        label={t("engine.model")}
        description={t("engine.rerankHint")}
        value={draft.rerankProviderModel ?? ""}
        disabled={!isAdmin}
        onChange={(event) => {
          const model = event.currentTarget.value;
          setEdited({ ...edited, rerankProviderModel: model === "" ? null : model });
        }}
      />
    </Card>
  );
}
