import { Button, Group, PasswordInput, Progress, Select, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient, useMutation } from "urql";
import {
  ChangeVectorTierDocument,
  CleanVectorTierDocument,
  TestVectorTierDocument,
  TryVectorTierDocument,
  type UpdateVectorTierInput,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { NumberField } from "../shell/NumberField";
import { useNotices } from "../shell/useNotices";
import { Card } from "./Card";
import type { EngineCardProps } from "./EmbeddingCard";
import type { EngineSettings } from "./parts";
import { SearchTest } from "./SearchTest";
import { TestButton } from "./TestButton";
import { type Edits, useEdits } from "./useEdits";
import { useSaving } from "./useSaving";

type Store = Pick<EngineSettings["vectorTier"], "enabled" | "host" | "port" | "collection" | "quantization">;

const QUANTIZATIONS = ["none", "int8", "binary"] as const;

/** The external store: how it is reached, whether it answers, how far it is filled, and what it finds. */
export function QdrantCard({ engine, settings, isAdmin, mayWrite, onChanged }: EngineCardProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const status = engine.vectorTier;
  const edits = useEdits("qdrant", settings && storeOf(settings));
  const [apiKey, setApiKey] = useState<string>(); // the empty text removes the key, undefined keeps it
  const change = { ...edits.change, ...(apiKey !== undefined && { apiKey }) };
  const isChanged = Object.keys(change).length > 0;
  const saving = useSaving(ChangeVectorTierDocument, change, () => {
    edits.saved();
    setApiKey((now) => (now === apiKey ? undefined : now));
    onChanged();
  });
  const [{ fetching: isCleaning }, clean] = useMutation(CleanVectorTierDocument);
  const discard = () => {
    edits.discard();
    setApiKey(undefined);
  };
  const cleanUp = async () => {
    const done = await dataOf(clean({ workspaceId, retentionDays: null }));
    if (done !== undefined) say(t("engine.cleaned", done.cleanupVectorTier));
  };
  const told = !status.enabled
    ? t("engine.off")
    : status.healthy
      ? t("engine.answersIn", { ms: number(status.latencyMs ?? 0, 1) })
      : (status.reason ?? t("health.silent"));
  return (
    <Card
      title={t("engine.qdrant")}
      isChanged={isChanged}
      isAdmin={isAdmin}
      warning={t("engine.storeCosts")}
      {...saving}
      onDiscard={discard}
      actions={
        <>
          <ConnectionTest
            change={isChanged ? change : undefined}
            isDisabled={!status.enabled && !isChanged}
            onDone={onChanged}
          />
          <Button
            variant="default"
            loading={isCleaning}
            disabled={!mayWrite || !status.enabled}
            onClick={() => void cleanUp()}
          >
            {t("engine.cleanUp")}
          </Button>
        </>
      }
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {[told, status.enabled && status.reason && status.healthy ? status.reason : null]
          .filter(Boolean)
          .join(" · ")}
      </Text>
      <StoreFields edits={edits} />
      {settings && <KeyField hasKey={settings.vectorTier.hasKey} apiKey={apiKey} onChange={setApiKey} />}
      {status.enabled && status.phase && (
        <div role="status">
          <Text size="xs" mb={4}>
            {t(`mirrorPhase.${status.phase}`)} · {number(status.mirrored)} / {number(status.total)}
          </Text>
          <Progress
            value={status.total === 0 ? 100 : (100 * status.mirrored) / status.total}
            aria-label={t("engine.qdrant")}
          />
        </div>
      )}
      {status.enabled && <SearchTest />}
    </Card>
  );
}

function storeOf({ vectorTier: { enabled, host, port, collection, quantization } }: EngineSettings): Store {
  return { enabled, host, port, collection, quantization };
}

function StoreFields({ edits: { draft, put } }: { readonly edits: Edits<Store> }) {
  const { t } = useTranslation();
  if (draft === undefined) return null;
  return (
    <>
      <Switch
        label={t("engine.enabled")}
        checked={draft.enabled}
        onChange={(event) => put({ enabled: event.currentTarget.checked })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t("engine.host")}
          value={draft.host}
          onChange={(event) => put({ host: event.currentTarget.value })}
        />
        <NumberField
          label={t("engine.port")}
          value={draft.port}
          min={1}
          max={65_535}
          allowDecimal={false}
          onChange={(port) => put({ port })}
        />
      </Group>
      <TextInput
        label={t("engine.collection")}
        value={draft.collection}
        onChange={(event) => put({ collection: event.currentTarget.value })}
      />
      <Select
        label={t("engine.quantization")}
        description={t("engine.quantizationHint")}
        data={QUANTIZATIONS.map((value) => ({ value, label: t(`quantization.${value}`) }))}
        value={draft.quantization}
        onChange={(value) => value !== null && put({ quantization: value })}
        allowDeselect={false}
      />
    </>
  );
}

interface KeyFieldProps {
  readonly hasKey: boolean;
  readonly apiKey: string | undefined;
  readonly onChange: (apiKey: string | undefined) => void;
}

/** The key, which is written and never shown; removing it takes effect with what else is saved. */
function KeyField({ hasKey, apiKey, onChange }: KeyFieldProps) {
  const { t } = useTranslation();
  const isRemoved = apiKey === "";
  const kept = isRemoved ? t("engine.keyGoes") : hasKey ? t("engine.keyKept") : t("engine.noKey");
  return (
    <Group gap="xs" align="flex-end">
      <PasswordInput
        flex="1 1 180px"
        label={t("engine.key")}
        placeholder={kept}
        value={apiKey ?? ""}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": t("engine.showKey") }}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      />
      {hasKey && (
        <Button variant="default" disabled={isRemoved} onClick={() => onChange("")}>
          {t("engine.removeKey")}
        </Button>
      )}
    </Group>
  );
}

interface ConnectionTestProps {
  readonly change: UpdateVectorTierInput | undefined; // what is typed and not saved is tested as it would be saved
  readonly isDisabled: boolean;
  readonly onDone: () => void;
}

function ConnectionTest({ change, isDisabled, onDone }: ConnectionTestProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { dataOf } = useNotices();
  const client = useClient();
  const ofSaved = async () => {
    const asked = client.query(TestVectorTierDocument, {}, { requestPolicy: "network-only" }).toPromise();
    const done = await dataOf(asked);
    if (done === undefined) return undefined;
    const { healthy, latencyMs, reason } = done.engine.vectorTier;
    return { working: healthy, latencyMs, error: reason };
  };
  const ofTyped = async (input: UpdateVectorTierInput) =>
    (await dataOf(client.mutation(TryVectorTierDocument, { input }).toPromise()))?.testVectorTier;
  return (
    <TestButton
      isDisabled={isDisabled}
      ask={async () => (change === undefined ? await ofSaved() : await ofTyped(change))}
      toldOf={({ latencyMs }) => t("engine.connected", { ms: number(latencyMs ?? 0, 1) })}
      onDone={onDone}
    />
  );
}
