import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface PageProps {
  readonly title: string;
  readonly description?: string;
  readonly actions?: ReactNode;
  readonly width?: number; // of what stands below the title; all pages begin at the same place
  readonly children: ReactNode;
}

/** The frame of every page: its title, what it is for, and what can be done on it. */
export function Page({ title, description, actions, width, children }: PageProps) {
  useDocumentTitle(`${title} · Recollect`);
  return (
    <Box maw={1600} mx="auto" px={{ base: "md", sm: "xl" }} py={{ base: "md", sm: "lg" }}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="md">
          <Box flex="1 1 260px" miw={0}>
            <Title order={1}>{title}</Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm">
                {description}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        <Stack gap="lg" maw={width}>
          {children}
        </Stack>
      </Stack>
    </Box>
  );
}
