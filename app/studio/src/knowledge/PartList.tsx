import { Button, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import type { Part } from "./partOf";

interface PartListProps<Row> {
  readonly title: string;
  readonly part: Part<Row>;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly children: (row: Row) => ReactNode;
}

/** One part of an entity, such as its relations, with a way to more of it; nothing where it is empty. */
export function PartList<Row>({ title, part, isLoading, onMore, children }: PartListProps<Row>) {
  const { t } = useTranslation();
  const { number } = useFormats();
  if (part.rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={4} size="h6" c="dimmed" mb={6}>
        {title}
      </Title>
      {part.rows.map(children)}
      {part.isMore && (
        <Button variant="subtle" size="compact-sm" mt={6} loading={isLoading} onClick={onMore}>
          {t("shell.more")}
        </Button>
      )}
      {part.isCut && (
        <Text size="xs" c="dimmed" mt={6}>
          {t("knowledge.firstOfPart", { shown: number(part.rows.length) })}
        </Text>
      )}
    </section>
  );
}
