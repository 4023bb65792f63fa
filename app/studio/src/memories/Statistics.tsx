import { Skeleton, Text, Tooltip } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { MemoryStatisticsDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount } from "../server/account";
import { useWorkspaceId } from "../server/workspace";
import classes from "./memories.module.css";

/** How many memories there are, how long they are together, and how recalls fare; read again when the list changes. */
export function Statistics({ total }: { readonly total: number }) {
  const { t } = useTranslation();
  const { number, percent } = useFormats();
  const own = useAccount().workspaceId;
  const workspaceId = useWorkspaceId() ?? own;
  const [{ data }, ask] = useQuery({
    query: MemoryStatisticsDocument,
    variables: { workspaceIds: [workspaceId] },
  });
  useEffect(() => ask({ requestPolicy: "network-only" }), [total, ask]);
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
              {value ?? <Skeleton height={18} width={52} mt={6} />}
            </div>
          </div>
        </Tooltip>
      ))}
    </div>
  );
}
