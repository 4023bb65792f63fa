import { Skeleton, Text, Tooltip } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { MemoryStatisticsDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount } from "../server/account";
import { reasonOf } from "../server/client";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { FailureLine } from "../shell/Failure";
import { useKeptQuery } from "../shell/useKeptQuery";
import classes from "./memories.module.css";
import type { MemoryList } from "./memoryList";

const SOON_MS = 2_000; // after a burst of changes

/** How many memories there are, how long they are together, and how recalls fare; read again when the list changes. */
export function Statistics({ list: { rows, total } }: { readonly list: MemoryList }) {
  const { t } = useTranslation();
  const { number, percent } = useFormats();
  const own = useAccount().workspaceId;
  const workspaceId = useWorkspaceId() ?? own;
  const { epoch } = useServerState();
  const [{ data, error }, ask] = useKeptQuery({
    query: MemoryStatisticsDocument,
    variables: { workspaceIds: [workspaceId] },
  });
  const reload = () => ask({ requestPolicy: "network-only" });
  const reloadSoon = useDebouncedCallback(reload, SOON_MS);
  useEffect(() => reloadSoon(), [rows, total, epoch, reloadSoon]);
  const counts = data?.engine.workspaces[0];
  const shares = counts && counts.memories > 0 ? counts.embedded / counts.memories : undefined;
  const rate = counts?.recallHitRate;
  const figures = [
    { name: "entries", value: counts && number(counts.memories) },
    { name: "tokens", value: counts && number(counts.tokens) },
    { name: "embedded", value: counts && (shares === undefined ? "–" : percent(shares)) },
    { name: "hitRate", value: counts && (rate === null || rate === undefined ? "–" : percent(rate)) },
  ] as const;
  return (
    <div className={`card ${classes.statistics}`}>
      {figures.map(({ name, value }) => (
        <Tooltip key={name} label={t(`statistics.${name}Hint`)} multiline maw={260}>
          <div className={classes.statistic}>
            <Text size="xs" c="dimmed" truncate>
              {t(`statistics.${name}`)}
            </Text>
            <div className={classes.figure} data-figure={name}>
              {value ?? (error ? "–" : <Skeleton height={18} width={52} mt={6} />)}
            </div>
          </div>
        </Tooltip>
      ))}
      {error && (
        <div style={{ gridColumn: "1 / -1" }}>
          <FailureLine reason={reasonOf(error)} onRetry={reload} />
        </div>
      )}
    </div>
  );
}
