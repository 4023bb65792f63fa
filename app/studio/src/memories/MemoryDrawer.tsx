import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { RefreshCw, Trash2 } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { MemoryDocument, type MemoryQuery } from "../../generated/operations";
import { useServerState } from "../server/signals";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ForWriters } from "../shell/ForWriters";
import { SideDrawer } from "../shell/SideDrawer";
import { useKeptQuery } from "../shell/useKeptQuery";
import { Associations } from "./Associations";
import { Disagreements } from "./Disagreements";
import { MemoryFacts } from "./MemoryFacts";
import { MemoryForm } from "./MemoryForm";
import type { MemoryRow } from "./memoryList";
import { SourceExcerpt } from "./SourceExcerpt";
import type { MemoryActions } from "./useMemoryActions";
import { Versions } from "./Versions";

type FullMemory = NonNullable<MemoryQuery["memory"]>;

interface MemoryDrawerProps {
  readonly id: string | null;
  readonly version: number | undefined; // that the list shows
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onDelete: (row: MemoryRow) => void;
  readonly actions: MemoryActions;
}

/** All there is to know of one memory, beside the list. */
export function MemoryDrawer({ id, version, onClose, onOpen, onDelete, actions }: MemoryDrawerProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const client = useClient();
  const variables = { workspaceId, id: id ?? "" };
  const { epoch } = useServerState();
  const [answer, ask] = useKeptQuery({ query: MemoryDocument, variables, pause: id === null });
  const readAgain = () =>
    client.query(MemoryDocument, variables, { requestPolicy: "network-only" }).toPromise();
  const memory = answer.data?.memory?.id === id ? answer.data.memory : undefined;
  const isOutdated = version !== undefined && memory !== undefined && version !== memory.version;
  useEffect(() => {
    if (isOutdated) ask({ requestPolicy: "network-only" });
  }, [isOutdated, version, ask]);
  useEffect(() => {
    if (epoch > 0 && id !== null) ask({ requestPolicy: "network-only" });
  }, [epoch, id, ask]);
  return (
    <SideDrawer opened={id !== null} onClose={onClose} title={t("memories.one")}>
      <Loaded
        answer={answer}
        data={memory}
        height={200}
        missing={<Text c="dimmed">{t("memories.gone")}</Text>}
        onRetry={() => ask()}
      >
        {(shown) => (
          <Details
            key={shown.id}
            memory={shown}
            actions={actions}
            onOpen={onOpen}
            onDelete={() => onDelete(shown)}
            onChanged={readAgain}
          />
        )}
      </Loaded>
    </SideDrawer>
  );
}

interface DetailsProps {
  readonly memory: FullMemory;
  readonly actions: MemoryActions;
  readonly onOpen: (id: string) => void;
  readonly onDelete: () => void;
  readonly onChanged: () => Promise<unknown>; // ends when what changed is shown
}

function Details({ memory, actions, onOpen, onDelete, onChanged }: DetailsProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xl">
      <ForWriters>
        <Disagreements
          memory={memory}
          onKeep={async (kept, deleted) => {
            if (await actions.remove(deleted)) onOpen(kept.id);
          }}
        />
      </ForWriters>
      <MemoryForm
        memory={memory}
        onSave={async (input) => {
          const isSaved = await actions.update(memory, input);
          if (isSaved) await onChanged();
          return isSaved;
        }}
      />
      <Section title={t("memories.about")}>
        <MemoryFacts memory={memory} />
      </Section>
      {memory.sourceConversationId !== null && memory.sourceConversationId !== undefined && (
        <Section title={t("memories.origin")}>
          <Stack gap="xs" align="flex-start">
            <SourceExcerpt conversationId={memory.sourceConversationId} messageId={memory.sourceMessageId} />
            <ForWriters>
              <Button
                variant="subtle"
                leftSection={<RefreshCw size={15} aria-hidden />}
                onClick={() => void actions.summarizeAgain(memory).then(onChanged)}
              >
                {t("memories.summarizeAgain")}
              </Button>
            </ForWriters>
          </Stack>
        </Section>
      )}
      <Section title={t("memories.versions")}>
        <Versions
          content={memory.content}
          versions={memory.versions}
          onRestore={(version) => void actions.restoreVersion(memory, version).then(onChanged)}
        />
      </Section>
      <Section title={t("memories.associations")}>
        <Associations memory={memory} onOpen={onOpen} onChanged={onChanged} />
      </Section>
      <Group justify="flex-end">
        <ForWriters>
          <Button
            variant="subtle"
            color="red"
            leftSection={<Trash2 size={15} aria-hidden />}
            onClick={onDelete}
          >
            {t("memories.delete")}
          </Button>
        </ForWriters>
      </Group>
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h6" c="dimmed" mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}
