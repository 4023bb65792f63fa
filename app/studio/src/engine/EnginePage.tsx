import { Badge, Button, Group, Text, Tooltip } from "@mantine/core";
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
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { Page } from "../shell/Page";
import { useNotices } from "../shell/useNotices";
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
  const { say, refuse, dataOf } = useNotices();
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
    const done = await dataOf(verify({}));
    if (done === undefined) return;
    const { working, latencyMs, error: reason } = done.verifyMemory;
    if (working) say(t("engine.verified", { ms: number(latencyMs) }));
    else refuse(reason ?? undefined);
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
      <Loaded
        answer={{ fetching, error: error ?? unknown }}
        data={data?.engine}
        height={420}
        withCard
        onRetry={reload}
      >
        {(engine) => (
          <>
            <Group gap={8} role="list" aria-label={t("engine.parts")}>
              {partsOf(engine, settings).map((part) => (
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
                engine={engine}
                settings={settings}
                isAdmin={isAdmin}
                mayWrite={mayWrite}
                onChanged={reload}
              />
              <QdrantCard
                engine={engine}
                settings={settings}
                isAdmin={isAdmin}
                mayWrite={mayWrite}
                onChanged={reload}
              />
              {settings && <RerankCard settings={settings} onChanged={reload} />}
            </div>
            <Jobs mayWrite={mayWrite} />
          </>
        )}
      </Loaded>
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
