import { Badge, Button, Group, Stack, Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { HeartPulse } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useMutation, useQuery } from "urql";
import { EngineStateDocument, VerifyMemoryDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount } from "../server/account";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { Failure } from "../shell/Failure";
import { Loading } from "../shell/Loading";
import { Page } from "../shell/Page";
import { useAnswers } from "../shell/useAnswers";
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
  const { epoch } = useServerState();
  const [{ data, error, fetching }, ask] = useQuery({
    query: EngineStateDocument,
    variables: { workspaceId, workspaceIds: [workspaceId ?? own] },
  });
  const [{ fetching: isVerifying }, verify] = useMutation(VerifyMemoryDocument);
  const reload = () => ask({ requestPolicy: "network-only" });
  useInterval(reload, EVERY_MS, { autoInvoke: true });
  useEffect(() => {
    if (epoch > 0) ask({ requestPolicy: "network-only" });
  }, [epoch, ask]);
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
          disabled={!isAdmin}
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
          <Group gap={8} role="list" aria-label={t("engine.parts")}>
            {partsOf(data).map((part) => (
              <Chip key={part.name} part={part} />
            ))}
          </Group>
          <div className={classes.cards}>
            <EmbeddingCard state={data} isAdmin={isAdmin} onChanged={reload} />
            <QdrantCard state={data} isAdmin={isAdmin} onChanged={reload} />
            <RerankCard state={data} isAdmin={isAdmin} onChanged={reload} />
          </div>
          <Jobs />
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
