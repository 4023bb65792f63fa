import { Alert, Button, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./engine.module.css";

interface CardProps {
  readonly title: string;
  readonly isChanged: boolean;
  readonly isAdmin: boolean;
  readonly isSaving: boolean;
  readonly refusal: string | undefined;
  readonly warning?: string | undefined;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the engine with what an administrator can set about it; what was typed is sent together. */
export function Card({
  title,
  isChanged,
  isAdmin,
  isSaving,
  refusal,
  warning,
  actions,
  children,
  ...does
}: CardProps) {
  const { t } = useTranslation();
  return (
    <section className={`card ${classes.card}`} aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      {children}
      {isChanged && warning !== undefined && <Alert color="yellow">{warning}</Alert>}
      {refusal !== undefined && <Alert color="red">{refusal}</Alert>}
      <Group justify="flex-end" gap="xs" mt="auto">
        {actions}
        {isChanged && (
          <Button variant="subtle" color="gray" disabled={isSaving} onClick={does.onDiscard}>
            {t("memories.discard")}
          </Button>
        )}
        {isAdmin && (
          <Button disabled={!isChanged} loading={isSaving} onClick={does.onSave}>
            {t("memories.save")}
          </Button>
        )}
      </Group>
    </section>
  );
}
