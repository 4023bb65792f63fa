import { Button, Group, Text } from "@mantine/core";
import { Clock, Tags, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../i18n/formats";
import { ForWriters } from "../shell/ForWriters";
import classes from "./memories.module.css";
import { type Chosen, countChosen } from "./selection";

export type BulkAction = "tag" | "expire" | "delete";

const ICONS = { tag: Tags, expire: Clock, delete: Trash2 } as const;

interface BulkBarProps {
  readonly chosen: Chosen;
  readonly total: number;
  readonly mayChooseAll: boolean;
  readonly onChooseAll: () => void;
  readonly onClear: () => void;
  readonly onAct: (action: BulkAction) => void;
}

/** What can be done to the chosen memories at once. */
export function BulkBar({ chosen, total, mayChooseAll, onChooseAll, onClear, onAct }: BulkBarProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const count = countChosen(chosen, total);
  return (
    <div className={`card ${classes.bulk}`} role="toolbar" aria-label={t("bulk.title")}>
      <Group gap="xs" flex="1 1 200px">
        <Text size="sm" fw={500} aria-live="polite">
          {t("bulk.chosen", { count, shown: number(count) })}
        </Text>
        {mayChooseAll && !chosen.isAll && total > count && (
          <Button size="compact-sm" variant="subtle" onClick={onChooseAll}>
            {t("bulk.chooseAll", { count: total, shown: number(total) })}
          </Button>
        )}
      </Group>
      <Group gap={6}>
        <ForWriters>
          {(Object.keys(ICONS) as BulkAction[]).map((action) => {
            const Icon = ICONS[action];
            return (
              <Button
                key={action}
                size="compact-sm"
                variant="default"
                leftSection={<Icon size={13} aria-hidden />}
                onClick={() => onAct(action)}
              >
                {t(`bulk.${action}`)}
              </Button>
            );
          })}
        </ForWriters>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<X size={13} aria-hidden />}
          onClick={onClear}
        >
          {t("bulk.clear")}
        </Button>
      </Group>
    </div>
  );
}
