import { Button, Group, Stack, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";

interface FailureProps {
  readonly title?: string | undefined; // "This could not be loaded" by default
  readonly reason: string | undefined;
  readonly onRetry: () => void;
}

/** The error state in the place of something that could not be loaded. */
export function Failure({ title, reason, onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs" py="xl" px="md" role="alert" ta="center">
      <CircleAlert size={22} color="var(--mantine-color-error)" aria-hidden />
      <Text fw={600}>{title ?? t("shell.notLoaded")}</Text>
      {reason !== undefined && (
        <Text size="sm" c="dimmed" maw={480}>
          {reason}
        </Text>
      )}
      <Button variant="default" mt="xs" onClick={onRetry}>
        {t("shell.retry")}
      </Button>
    </Stack>
  );
}

/** The error state as a line beside what is shown: some of it, or its newest state, could not be loaded. */
export function FailureLine({ reason, onRetry }: Omit<FailureProps, "title">) {
  const { t } = useTranslation();
  return (
    <Group role="alert" gap="xs" px="md" py="xs" wrap="nowrap">
      <CircleAlert size={16} color="var(--mantine-color-error)" aria-hidden style={{ flex: "none" }} />
      <Text size="sm" flex={1} miw={0} style={{ overflowWrap: "anywhere" }}>
        {[t("shell.notLoaded"), reason].filter(Boolean).join(": ")}
      </Text>
      <Button variant="default" size="compact-sm" flex="none" onClick={onRetry}>
        {t("shell.retry")}
      </Button>
    </Group>
  );
}
