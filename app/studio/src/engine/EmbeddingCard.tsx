import { Autocomplete, Button, Progress, Select, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { ChangeEngineDocument, ReindexDocument, TryEmbedderDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { useNotices } from "../shell/useNotices";
import { Card } from "./Card";
import classes from "./engine.module.css";
import type { EngineSettings, EngineStatus } from "./parts";
import { TestButton } from "./TestButton";
import { useEdits } from "./useEdits";
import { useSaving } from "./useSaving";

const SOURCES = ["auto", "remote", "static", "transformers", "none"] as const;

export interface EngineCardProps {
  readonly engine: EngineStatus;
  readonly settings: EngineSettings | undefined; // undefined: not shown to this key, or not there yet
  readonly isAdmin: boolean;
  readonly mayWrite: boolean;
  readonly onChanged: () => void;
}

/** Where vectors come from, what a change costs, and how far embedding again has come. */
export function EmbeddingCard({ engine, settings, isAdmin, mayWrite, onChanged }: EngineCardProps) {
  const { t } = useTranslation();
  const { date, number, percent } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const inForce = settings && {
    embeddingSource: settings.embeddingSource,
    embeddingProviderModel: settings.embeddingProviderModel ?? null,
    transformersEnabled: settings.transformersEnabled,
    staticEnabled: settings.staticEnabled,
  };
  const { draft, change, put, discard, saved } = useEdits("embedding", inForce);
  const saving = useSaving(ChangeEngineDocument, change, () => {
    saved();
    onChanged();
  });
  const [isAsking, setAsking] = useState(false);
  const [, tryOut] = useMutation(TryEmbedderDocument);
  const [{ fetching }, reindex] = useMutation(ReindexDocument);
  const again = async (force: boolean) => {
    setAsking(false);
    const done = await dataOf(reindex({ workspaceId, force }));
    if (done === undefined) return;
    const { started, pending } = done.reindex;
    say(started ? t("engine.reindexing", { count: pending }) : t("engine.nothingToReindex"));
    onChanged();
  };
  const counts = engine.workspaces[0];
  const { building, embeddingCache } = engine;
  const asked = embeddingCache ? embeddingCache.hits + embeddingCache.misses : 0;
  const remote = engine.embeddingProviders.flatMap(({ name, models: each }) =>
    each.map((model) => `${name}/${model}`),
  );
  const models = [...engine.localModels, ...remote];
  return (
    <Card
      title={t("engine.embedding")}
      isChanged={Object.keys(change).length > 0}
      isAdmin={isAdmin}
      warning={t("engine.changeCosts", {
        count: counts?.memories ?? 0,
        shown: number(counts?.memories ?? 0),
      })}
      {...saving}
      onDiscard={discard}
      actions={
        <>
          {isAdmin && draft && (
            <TestButton
              ask={async () => (await dataOf(tryOut({ input: change })))?.testEmbedder}
              toldOf={({ signature, latencyMs }) =>
                t("engine.embedded", { signature, ms: number(latencyMs, 1) })
              }
            />
          )}
          <Button variant="default" loading={fetching} disabled={!mayWrite} onClick={() => void again(false)}>
            {t("engine.reindex")}
          </Button>
          <Button variant="subtle" color="gray" disabled={!mayWrite} onClick={() => setAsking(true)}>
            {t("engine.reindexAll")}
          </Button>
        </>
      }
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {engine.embedder.ready ? engine.embedder.signature : engine.embedder.reason}
        {engine.embedder.since && ` · ${t("engine.failingSince", { since: date(engine.embedder.since) })}`}
      </Text>
      {draft && (
        <>
          <Select
            label={t("engine.source")}
            data={SOURCES.map((value) => ({ value, label: t(`embeddingSource.${value}`) }))}
            value={draft.embeddingSource}
            onChange={(value) => value !== null && put({ embeddingSource: value })}
            allowDeselect={false}
          />
          <Autocomplete
            label={t("engine.model")}
            description={t("engine.modelHint")}
            data={models}
            value={draft.embeddingProviderModel ?? ""}
            onChange={(value) => put({ embeddingProviderModel: value.trim() === "" ? null : value })}
          />
          <Switch
            label={t("engine.transformersEnabled")}
            checked={draft.transformersEnabled}
            onChange={(event) => put({ transformersEnabled: event.currentTarget.checked })}
          />
          <Switch
            label={t("engine.staticEnabled")}
            checked={draft.staticEnabled}
            onChange={(event) => put({ staticEnabled: event.currentTarget.checked })}
          />
        </>
      )}
      <dl className={classes.facts}>
        {counts !== undefined && (
          <>
            <dt>{t("home.embedded")}</dt>
            <dd>
              {number(counts.embedded)} / {number(counts.memories)}
            </dd>
            <dt>{t("engine.waiting")}</dt>
            <dd>{number(counts.needsReindex)}</dd>
            <dt>{t("memories.failed")}</dt>
            <dd>{number(counts.failed)}</dd>
          </>
        )}
        {embeddingCache && asked > 0 && (
          <>
            <dt>{t("engine.cache")}</dt>
            <dd>{t("engine.cacheHits", { share: percent(embeddingCache.hits / asked) })}</dd>
          </>
        )}
      </dl>
      {building && (
        <div role="status">
          <Text size="xs" mb={4}>
            {t("engine.building", { done: number(building.done), total: number(building.total) })}
          </Text>
          <Progress
            value={building.total === 0 ? 0 : (100 * building.done) / building.total}
            aria-label={t("engine.reindex")}
          />
        </div>
      )}
      <Confirm
        opened={isAsking}
        title={t("engine.reindexAllTitle")}
        action={t("engine.reindexAll")}
        onClose={() => setAsking(false)}
        onConfirm={() => void again(true)}
      >
        <Text size="sm">
          {t("engine.changeCosts", { count: counts?.memories ?? 0, shown: number(counts?.memories ?? 0) })}
        </Text>
      </Confirm>
    </Card>
  );
}
