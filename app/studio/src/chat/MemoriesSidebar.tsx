import { Badge, Button, Collapse, Group, Text, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import styles from "../conversations/conversations.module.css";
import { LearntMemory } from "../conversations/LearntHere";
import { useFormats } from "../i18n/formats";
import type { MemoryRow } from "../memories/memoryList";
import { isSource } from "../memories/sources";
import { useMemories } from "../memories/useMemories";
import { useMemoryActions } from "../memories/useMemoryActions";
import { addressOf } from "../server/workspace";
import { PagedList } from "../shell/PagedList";
import classes from "./chat.module.css";

const NO_FILTER = {};

/** All memories that the chat may be given, the newest first, to correct and delete beside it; a toggle hides them. */
export function MemoriesSidebar() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const [isOpen, setOpen] = useLocalStorage({ key: "recollect.chat.memories", defaultValue: true });
  const memories = useMemories(undefined, NO_FILTER, "CREATED_AT");
  const actions = useMemoryActions(undefined, memories);
  const { rows, total } = memories.list;
  const factsOf = ({ category, sourceType, createdAt }: MemoryRow) => {
    const source = isSource(sourceType) ? t(`source.${sourceType}`) : sourceType;
    return [category, source, ago(createdAt)].filter(Boolean).join(" · ");
  };
  return (
    <aside className={`card ${classes.sidebar}`} aria-label={t("memories.title")}>
      <Group justify="space-between">
        <Title order={2} size="h6">
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={
              isOpen ? <ChevronDown size={13} aria-hidden /> : <ChevronRight size={13} aria-hidden />
            }
            aria-expanded={isOpen}
            onClick={() => setOpen((now) => !now)}
          >
            {t("memories.title")}
          </Button>
        </Title>
        <Badge variant="light" aria-label={t("memories.count", { count: total, shown: number(total) })}>
          {number(total)}
        </Badge>
      </Group>
      <Collapse expanded={isOpen} pt="xs">
        <PagedList
          pages={{ ...memories, ...memories.list }}
          empty={
            <Text size="sm" c="dimmed">
              {t("chat.noMemories")}
            </Text>
          }
          height={120}
          more={t("chat.moreMemories")}
          withCard={false}
        >
          <ul className={styles.plain}>
            {rows.map((row) => (
              <LearntMemory
                key={row.id}
                row={row}
                address={addressOf("/memories", { memory: row.id })}
                actions={actions}
                facts={factsOf(row)}
              />
            ))}
          </ul>
        </PagedList>
      </Collapse>
    </aside>
  );
}
