import {
  Button,
  Group,
  List,
  NumberInput,
  PasswordInput,
  Progress,
  Switch,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient, useMutation } from "urql";
import {
  ChangeVectorTierDocument,
  CleanVectorTierDocument,
  SearchVectorTierDocument,
  type SearchVectorTierQuery,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { useAnswers } from "../shell/useAnswers";
import { Card } from "./Card";
import type { EngineCardProps } from "./EmbeddingCard";
import { changed } from "./parts";

/** The external store: how it is reached, whether it answers, how far it is filled, and what it finds. */
export function QdrantCard({ state, isAdmin, onChanged }: EngineCardProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { say, taken } = useAnswers();
  const workspaceId = useWorkspaceId() ?? null;
  const status = state.engine.vectorTier;
  const { enabled, host, port, collection, hasKey } = state.settings.vectorTier;
  const inForce = { enabled, host, port, collection };
  const [edited, setEdited] = useState<Partial<typeof inForce>>({});
  const [apiKey, setApiKey] = useState("");
  const draft = { ...inForce, ...edited };
  const change = { ...changed(inForce, draft), ...(apiKey !== "" && { apiKey }) };
  const [refusal, setRefusal] = useState<string>();
  const [, send] = useMutation(ChangeVectorTierDocument);
  const [{ fetching: isCleaning }, clean] = useMutation(CleanVectorTierDocument);
  const save = async () => {
    const { error } = await send({ input: change });
    setRefusal(reasonOf(error));
    if (error !== undefined) return;
    setEdited({});
    setApiKey("");
    say(t("settings.saved"));
    onChanged();
  };
  const cleanUp = async () => {
    const done = await taken(clean({ workspaceId, retentionDays: null }));
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
      isChanged={Object.keys(change).length > 0}
      isAdmin={isAdmin}
      refusal={refusal}
      warning={t("engine.storeCosts")}
      onSave={() => void save()}
      onDiscard={() => {
        setEdited({});
        setApiKey("");
      }}
      actions={
        <Button
          variant="default"
          loading={isCleaning}
          disabled={!isAdmin || !status.enabled}
          onClick={() => void cleanUp()}
        >
          {t("engine.cleanUp")}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {[told, status.enabled && status.reason && status.healthy ? status.reason : null]
          .filter(Boolean)
          .join(" · ")}
      </Text>
      <Switch
        label={t("engine.enabled")}
        checked={draft.enabled}
        disabled={!isAdmin}
        onChange={(event) => setEdited({ ...edited, enabled: event.currentTarget.checked })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t("engine.host")}
          value={draft.host}
          disabled={!isAdmin}
          onChange={(event) => setEdited({ ...edited, host: event.currentTarget.value })}
        />
        <NumberInput
          label={t("engine.port")}
          value={draft.port}
          min={1}
          max={65_535}
          allowDecimal={false}
          disabled={!isAdmin}
          onChange={(value) => setEdited({ ...edited, port: Number(value) })}
        />
      </Group>
      <TextInput
        label={t("engine.collection")}
        value={draft.collection}
        disabled={!isAdmin}
        onChange={(event) => setEdited({ ...edited, collection: event.currentTarget.value })}
      />
      <PasswordInput
        label={t("engine.key")}
        placeholder={hasKey ? t("engine.keyKept") : t("engine.noKey")}
        value={apiKey}
        autoComplete="new-password"
        disabled={!isAdmin}
        visibilityToggleButtonProps={{ "aria-label": t("engine.showKey") }}
        onChange={(event) => setApiKey(event.currentTarget.value)}
      />
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

function SearchTest() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { complain } = useAnswers();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [query, setQuery] = useState("");
  const [hits, setHits] = useState<SearchVectorTierQuery["searchVectorTier"]>();
  const search = async () => {
    const answer = await client.query(
      SearchVectorTierDocument,
      { workspaceId, query },
      { requestPolicy: "network-only" },
    );
    if (answer.data === undefined) complain(reasonOf(answer.error));
    else setHits(answer.data.searchVectorTier);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void search();
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          flex={1}
          label={t("engine.searchTest")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={query.trim() === ""}>
          {t("playground.simulate")}
        </Button>
      </Group>
      {hits?.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("playground.nothing")}
        </Text>
      )}
      <List size="sm" mt="xs">
        {hits?.map(({ memory, score }) => (
          <List.Item key={memory.id}>
            {memory.content} ({number(score, 3)})
          </List.Item>
        ))}
      </List>
    </form>
  );
}
