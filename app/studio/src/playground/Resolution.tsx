import { Alert, Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import classes from "./playground.module.css";
import type { Recalled } from "./simulation";

interface ResolutionProps {
  readonly recalled: Recalled;
  readonly budget: number;
}

const COLOURS = ["accent-6", "teal-6", "orange-6", "grape-6", "cyan-6", "yellow-6", "gray-5"];

/** How the recall was made: by which embedder and store, how long each stage took, and what was left out. */
export function Resolution({ recalled, budget }: ResolutionProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { resolution, totalTokens } = recalled;
  const facts: [string, string][] = [
    [t("playground.embedder"), resolution.embedder ?? t("playground.noEmbedder")],
    [t("playground.store"), t(`tier.${resolution.tier}`)],
    [t("playground.compared"), resolution.exact ? t("playground.all") : t("playground.index")],
  ];
  const told = [resolution.fallback, ...resolution.degraded].filter(
    (each) => each !== null && each !== undefined,
  );
  return (
    <>
      <Group gap="lg" mb={10}>
        {facts.map(([name, value]) => (
          <Text key={name} size="xs">
            <Text span c="dimmed" size="xs">
              {name}
            </Text>{" "}
            {value}
          </Text>
        ))}
        <Text size="xs">
          <Text span c="dimmed" size="xs">
            {t("playground.tokensUsed")}
          </Text>{" "}
          {budget > 0
            ? t("playground.ofBudget", { used: number(totalTokens), budget: number(budget) })
            : number(totalTokens)}
        </Text>
      </Group>
      {budget > 0 && (
        <Progress
          value={Math.min(100, (100 * totalTokens) / budget)}
          size={6}
          mb={12}
          aria-label={t("playground.tokensUsed")}
        />
      )}
      <Stages stagesMs={resolution.stagesMs} />
      {resolution.merged > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {t("playground.merged", { count: resolution.merged })}
        </Text>
      )}
      {told.length > 0 && (
        <Alert mt="sm" color="yellow" p="xs">
          <Text size="xs" lang="en">
            {told.join(" · ")}
          </Text>
        </Alert>
      )}
    </>
  );
}

/** Return the stages that took time, as the server names them. */
function timedStages(stagesMs: unknown): [string, number][] {
  if (typeof stagesMs !== "object" || stagesMs === null) return [];
  return Object.entries(stagesMs).filter((entry): entry is [string, number] => typeof entry[1] === "number");
}

function Stages({ stagesMs }: { readonly stagesMs: unknown }) {
  const { t, i18n } = useTranslation();
  const { number } = useFormats();
  const stages = timedStages(stagesMs);
  const total = stages.reduce((sum, [, ms]) => sum + ms, 0);
  const nameOf = (stage: string) =>
    i18n.exists(`stage.${stage}`) ? t(`stage.${stage}` as "stage.graph") : stage;
  const colourOf = (index: number) => `var(--mantine-color-${COLOURS[index % COLOURS.length] ?? "gray-5"})`;
  if (total === 0) return null;
  return (
    <div role="group" aria-label={t("playground.stages")}>
      <div className={classes.stages} aria-hidden>
        {stages.map(([stage, ms], index) => (
          <span key={stage} style={{ flexGrow: ms, background: colourOf(index) }} />
        ))}
      </div>
      <div className={classes.legend}>
        {stages.map(([stage, ms], index) => (
          <span key={stage}>
            <i style={{ background: colourOf(index) }} />
            {nameOf(stage)} {number(ms, 1)} ms
          </span>
        ))}
        <span>{t("playground.total", { ms: number(total, 1) })}</span>
      </div>
    </div>
  );
}
