import { Stack, Text, ThemeIcon } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

/** What stands where there is nothing yet, with what can be done about it. */
export function Empty({ icon: Icon, title, text, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" size={44} radius="xl">
        <Icon size={20} aria-hidden />
      </ThemeIcon>
      <Text fw={600} mt={4}>
        {title}
      </Text>
      <Text size="sm" c="dimmed" maw={420}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}
