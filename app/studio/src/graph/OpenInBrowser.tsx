import { Button, Code, Group, ScrollArea, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useAccount } from "../server/account";
import { useWorkspaceId } from "../server/workspace";
import { CopyText } from "../shell/CopyText";
import { Dialog } from "../shell/Dialog";
import { browserQuery } from "./browserQuery";
import type { Drawing } from "./drawing";

interface OpenInBrowserProps {
  readonly opened: boolean;
  readonly drawing: Drawing;
  readonly onClose: () => void;
}

/** The query that shows the same in Neo4j Browser, to copy or to open there. */
export function OpenInBrowser({ opened, drawing, onClose }: OpenInBrowserProps) {
  const { t } = useTranslation();
  const own = useAccount().workspaceId;
  const workspaceId = useWorkspaceId() ?? own;
  const [address, setAddress] = useLocalStorage({
    key: "recollect.neo4jBrowser",
    defaultValue: `http://${location.hostname}:7474/browser/`,
  });
  const query = browserQuery(drawing, workspaceId);
  const isAddress = /^https?:\/\/[^\s]+$/.test(address);
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t("graph.browser")}>
      <Text size="sm" c="dimmed" mb="sm">
        {t("graph.browserText")}
      </Text>
      <ScrollArea.Autosize mah={260} mb="sm" viewportProps={{ tabIndex: 0 }}>
        <Code block>{query}</Code>
      </ScrollArea.Autosize>
      <TextInput
        label={t("graph.browserAddress")}
        description={t("graph.browserAddressHint")}
        error={isAddress ? undefined : t("graph.noAddress")}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        <CopyText value={query} label={t("graph.copyQuery")} />
        <Button
          component="a"
          href={isAddress ? `${address}?cmd=edit&arg=${encodeURIComponent(query)}` : undefined}
          target="_blank"
          rel="noreferrer"
        >
          {t("graph.openThere")}
        </Button>
      </Group>
    </Dialog>
  );
}
