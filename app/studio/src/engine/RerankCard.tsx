import { Switch, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { ChangeEngineDocument, TryRerankerDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useNotices } from "../shell/useNotices";
import { Card } from "./Card";
import type { EngineSettings } from "./parts";
import { TestButton } from "./TestButton";
import { useEdits } from "./useEdits";
import { useSaving } from "./useSaving";

interface RerankCardProps {
  readonly settings: EngineSettings;
  readonly onChanged: () => void;
}

/** Whether a second model ranks again what was found, and which; for administrators. */
export function RerankCard({ settings, onChanged }: RerankCardProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { dataOf } = useNotices();
  const inForce = {
    rerankEnabled: settings.rerankEnabled,
    rerankProviderModel: settings.rerankProviderModel ?? null,
  };
  const { draft = inForce, change, put, discard, saved } = useEdits("rerank", inForce);
  const saving = useSaving(ChangeEngineDocument, change, () => {
    saved();
    onChanged();
  });
  const [, tryOut] = useMutation(TryRerankerDocument);
  return (
    <Card
      title={t("engine.rerank")}
      isChanged={Object.keys(change).length > 0}
      isAdmin
      {...saving}
      onDiscard={discard}
      actions={
        draft.rerankProviderModel !== null && (
          <TestButton
            ask={async () => (await dataOf(tryOut({ input: change })))?.testReranker}
            toldOf={({ signature, latencyMs }) =>
              t("engine.embedded", { signature, ms: number(latencyMs, 1) })
            }
          />
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
