import { Button, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { ChangeEngineDocument, TryRerankerDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
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
  const { number } = useFormats();
  const { say, complain, taken } = useAnswers();
  const inForce = {
    rerankEnabled: settings.rerankEnabled,
    rerankProviderModel: settings.rerankProviderModel ?? null,
  };
  const { draft = inForce, change, put, discard, saved } = useEdits("rerank", inForce);
  const [refusal, setRefusal] = useState<string>();
  const [{ fetching: isSaving }, send] = useMutation(ChangeEngineDocument);
  const [{ fetching: isTesting }, tryOut] = useMutation(TryRerankerDocument);
  const save = async () => {
    const { error } = await send({ input: change });
    setRefusal(reasonOf(error));
    if (error !== undefined) return;
    saved();
    say(t("settings.saved"));
    onChanged();
  };
  const test = async () => {
    const done = await taken(tryOut({ input: change }));
    if (done === undefined) return;
    const { working, latencyMs, signature, error } = done.testReranker;
    if (working) say(t("engine.embedded", { signature, ms: number(latencyMs, 1) }));
    else complain(error ?? t("health.silent"));
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
      actions={
        draft.rerankProviderModel !== null && (
          <Button variant="default" loading={isTesting} onClick={() => void test()}>
            {t("engine.test")}
          </Button>
        )
      }
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
