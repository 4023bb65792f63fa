import { Code } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import classes from "./memories.module.css";
import type { MemoryRow } from "./memoryList";
import { isSource } from "./sources";

/** What is known of a memory beside its text, as names and values. */
export function MemoryFacts({ memory }: { readonly memory: MemoryRow }) {
  const { t } = useTranslation();
  const { date, number, percent } = useFormats();
  const facts: [string, string | null | undefined][] = [
    [t("memories.kind"), t(`kind.${memory.kind}`)],
    [
      t("memories.source"),
      isSource(memory.sourceType) ? t(`source.${memory.sourceType}`) : memory.sourceType,
    ],
    [t("memories.key"), memory.key],
    [t("memories.category"), memory.category],
    [t("memories.user"), memory.userId],
    [t("memories.agent"), memory.agentId],
    [t("memories.confidence"), percent(memory.confidence)],
    [t("memories.used"), number(memory.usageCount)],
    [t("memories.state"), memory.failure ?? t(`state.${memory.state}`)],
    [t("memories.created"), date(memory.createdAt)],
    [t("memories.updated"), date(memory.updatedAt)],
  ];
  const metadata = JSON.stringify(memory.metadata, null, 2);
  return (
    <>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([name, value]) => (
            <div key={name} style={{ display: "contents" }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        <dt>{t("memories.id")}</dt>
        <dd>
          <Code>{memory.id}</Code>
        </dd>
      </dl>
      {metadata !== "{}" && (
        <Code block mt="sm">
          {metadata}
        </Code>
      )}
    </>
  );
}
