import { Badge, Button, Group, Stack, Text, Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { HeartPulse } from "lucide-react";
import { useCallback, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  EngineSettingsDocument,
  EngineStateDocument,
  VerifyMemoryDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount, useMayWrite } from "../server/account";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { Failure } from "../shell/Failure";
import { FailureLine } from "../shell/FailureLine";
import { Loading } from "../shell/Loading";
import { Page } from "../shell/Page";
import { useAnswers } from "../shell/useAnswers";
import { useKeptQuery } from "../shell/useKeptQuery";
import { EmbeddingCard } from "./EmbeddingCard";
import classes from "./engine.module.css";
import { Jobs } from "./Jobs";
import { type Part, partsOf } from "./parts";
import { QdrantCard } from "./QdrantCard";
import { RerankCard } from "./RerankCard";

const EVERY_MS = 5_000;
const COLOURS = { working: "green", failing: "red", off: "gray" } as const;

/** What finds memories: its parts with their state and reasons, its models, and the work that is still to be done. */
export function EnginePage() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { say, complain, taken } = useAnswers();
  const { scopes, workspaceId: own } = useAccount();
  const workspaceId = useWorkspaceId() ?? null;
  const isAdmin = scopes.includes("ADMIN");
  const mayWrite = useMayWrite();
  const { epoch } = useServerState();
  const [{ data, error, fetching }, ask] = useKeptQuery({
    query: EngineStateDocument,
    variables: { workspaceIds: [workspaceId ?? own] },
  });
  const [{ data: known, error: unknown }, askForSettings] = useKeptQuery({
    query: EngineSettingsDocument,
    variables: { workspaceId },
    pause: !isAdmin,
  });
  const settings = known?.settings;
  const failed = error ?? unknown;
  const [{ fetching: isVerifying }, verify] = useMutation(VerifyMemoryDocument);
  const reload = useCallback(() => {
    ask({ requestPolicy: "network-only" });
    if (isAdmin) askForSettings({ requestPolicy: "network-only" });
  }, [ask, askForSettings, isAdmin]);
  useInterval(reload, EVERY_MS, { autoInvoke: true });
  useEffect(() => {
    if (epoch > 0) reload();
  }, [epoch, reload]);
  const check = async () => {
    const done = await taken(verify({}));
    if (done === undefined) return;
    const { working, latencyMs, error: reason } = done.verifyMemory;
    if (working) say(t("engine.verified", { ms: number(latencyMs) }));
    else complain(reason ?? undefined);
  };

  return (
    <Page
      title={t("engine.title")}
      description={t("engine.description")}
      actions={
        <Button
          variant="default"
          leftSection={<HeartPulse size={15} aria-hidden />}
          loading={isVerifying}
          disabled={!mayWrite}
          onClick={() => void check()}
        >
          {t("engine.verify")}
        </Button>
      }
    >
      {data === undefined ? (
        error !== undefined && !fetching ? (
          <div className="card">
            <Failure title={t("shell.notLoaded")} reason={reasonOf(error)} onRetry={reload} />
          </div>
        ) : (
          <Loading height={420} />
        )
      ) : (
        <Stack gap="lg">
          {failed !== undefined && (
            <div className="card">
              <FailureLine reason={reasonOf(failed)} onRetry={reload} />
            </div>
          )}
          <Group gap={8} role="list" aria-label={t("engine.parts")}>
            {partsOf(data.engine, settings).map((part) => (
              <Chip key={part.name} part={part} />
            ))}
          </Group>
          {!isAdmin && (
            <Text size="sm" c="dimmed">
              {t("engine.adminOnly")}
            </Text>
          )}
          <div className={classes.cards}>
            <EmbeddingCard
              engine={data.engine}
              settings={settings}
              isAdmin={isAdmin}
              mayWrite={mayWrite}
              onChanged={reload}
            />
            <QdrantCard
              engine={data.engine}
              settings={settings}
              isAdmin={isAdmin}
              mayWrite={mayWrite}
              onChanged={reload}
            />
            {settings && <RerankCard settings={settings} onChanged={reload} />}
          </div>
          <Jobs mayWrite={mayWrite} />
        </Stack>
      )}
    </Page>
  );
}

function Chip({ part }: { readonly part: Part }) {
  const { t } = useTranslation();
  return (
    <Tooltip label={part.reason ?? t(`engine.${part.state}`)} multiline maw={320}>
      <Badge
        role="listitem"
        variant="default"
        size="lg"
        tt="none"
        fw={500}
        tabIndex={0}
        leftSection={
          <span
            className={classes.dot}
            style={{ background: `var(--mantine-color-${COLOURS[part.state]}-6)` }}
          />
        }
      >
        {t(`engine.${part.name}`)} · {t(`engine.${part.state}`)}
      </Badge>
    </Tooltip>
  );
}
