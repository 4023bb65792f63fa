import { Button, Stack, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";

interface FailureProps {
  readonly title: string;
  readonly reason?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** What stands in the place of something that could not be loaded. */
export function Failure({ title, reason, onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs" py="xl" px="md" role="alert" ta="center">
      <CircleAlert size={22} color="var(--mantine-color-error)" aria-hidden />
      <Text fw={600}>{title}</Text>
      {reason !== undefined && (
        <Text size="sm" c="dimmed" maw={480}>
          {reason}
        </Text>
      )}
      {onRetry && (
        <Button variant="default" mt="xs" onClick={onRetry}>
          {t("shell.retry")}
        </Button>
      )}
    </Stack>
  );
}
