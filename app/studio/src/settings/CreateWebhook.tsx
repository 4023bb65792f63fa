import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateWebhookDocument, type WebhookEvent } from "../../generated/operations";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog } from "../shell/Dialog";

const EVENTS: readonly WebhookEvent[] = [
  "MEMORY_SAVED",
  "MEMORY_UPDATED",
  "MEMORY_DELETED",
  "PATTERN_PROMOTED",
  "JOB_FAILED",
];
const NOTHING: Typed = { url: "", events: ["MEMORY_SAVED"] };

interface Typed {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

interface CreateWebhookProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}

/** The dialog to register an address. */
export function CreateWebhook({ opened, onClose, onCreated }: CreateWebhookProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("webhooks.create")}>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateForm({ onClose, onCreated }: Omit<CreateWebhookProps, "opened">) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [{ fetching }, create] = useMutation(CreateWebhookDocument);
  const [typed, setTyped, , clearSent] = useDraft("webhook", NOTHING);
  const { url, events } = typed;
  const [refusal, setRefusal] = useState<string>();
  const save = async () => {
    const { data, error } = await create({ workspaceId, input: { url: url.trim(), events } });
    if (data === undefined) {
      setRefusal(reasonOf(error));
      return;
    }
    clearSent(typed);
    onCreated(data.createWebhook.secret);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="sm">
        <TextInput
          type="url"
          label={t("webhooks.address")}
          placeholder="https://example.com/hooks/memory"
          required
          data-autofocus
          value={url}
          onChange={(event) => {
            setRefusal(undefined);
            setTyped({ ...typed, url: event.currentTarget.value });
          }}
        />
        <Checkbox.Group
          label={t("webhooks.events")}
          value={[...events]}
          onChange={(chosen) =>
            setTyped({ ...typed, events: EVENTS.filter((event) => chosen.includes(event)) })
          }
        >
          <Stack gap={6} mt={6}>
            {EVENTS.map((event) => (
              <Checkbox key={event} value={event} label={t(`webhookEvent.${event}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        {refusal !== undefined && <Alert color="red">{refusal}</Alert>}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t("shell.cancel")}
          </Button>
          <Button type="submit" loading={fetching} disabled={url.trim() === "" || events.length === 0}>
            {t("webhooks.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
