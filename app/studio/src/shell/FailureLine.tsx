import { Button, Group, Text } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";

interface FailureLineProps {
  readonly reason: string | undefined;
  readonly onRetry: () => void;
}

/** Says beside what is shown that some of it, or its newest state, could not be loaded. */
export function FailureLine({ reason, onRetry }: FailureLineProps) {
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
