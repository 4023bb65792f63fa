import { Group, Stack, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { HealthDocument } from "../../generated/operations";
import { useServerState } from "../server/signals";
import classes from "./Shell.module.css";

const EVERY_MS = 20_000;
const WHILE_LOST_MS = 2_000;

/** Green while everything answers, yellow while something is missing, red while the server is gone. */
export function HealthDot() {
  const { t } = useTranslation();
  const { contact } = useServerState();
  const [{ data }, ask] = useQuery({ query: HealthDocument });
  const every = contact === "lost" ? WHILE_LOST_MS : EVERY_MS;
  useInterval(() => ask({ requestPolicy: "network-only" }), every, { autoInvoke: true });

  const health = contact === "lost" ? undefined : data?.health;
  const parts = health && { neo4j: health.neo4j, redis: health.redis, embedder: health.embedder };
  const isWhole = parts !== undefined && Object.values(parts).every(Boolean);
  const [colour, text] = isWhole
    ? (["green", t("health.ok")] as const)
    : parts !== undefined
      ? (["yellow", t("health.partly")] as const)
      : contact === "lost"
        ? (["red", t("health.lost")] as const)
        : (["gray", t("health.asking")] as const);

  return (
    <Tooltip
      multiline
      position="top-start"
      label={
        <Stack gap={2}>
          {Object.entries(parts ?? {}).map(([name, answers]) => (
            <Text key={name} size="xs">
              {t(`health.${name as "neo4j" | "redis" | "embedder"}`)}:{" "}
              {answers ? t("health.answers") : t("health.silent")}
            </Text>
          ))}
          {parts === undefined && <Text size="xs">{text}</Text>}
        </Stack>
      }
    >
      <UnstyledButton aria-label={`${t("health.title")}: ${text}`} data-health={colour}>
        <Group gap={8} wrap="nowrap">
          <span className={classes.dot} style={{ background: `var(--mantine-color-${colour}-6)` }} />
          <Text size="xs" c="dimmed">
            {text}
          </Text>
        </Group>
      </UnstyledButton>
    </Tooltip>
  );
}
