import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CreateWebhookDocument, type WebhookEvent } from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { CreateDialog } from "../shell/CreateDialog";
import type { CreateSecretProps } from "./SecretList";

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

/** The dialog to register an address. */
export function CreateWebhook({ opened, onClose, onCreated }: CreateSecretProps) {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId() ?? null;
  const [, create] = useMutation(CreateWebhookDocument);
  return (
    <CreateDialog
      opened={opened}
      title={t("webhooks.create")}
      action={t("webhooks.create")}
      draft="webhook"
      nothing={NOTHING}
      isComplete={({ url, events }) => url.trim() !== "" && events.length > 0}
      create={({ url, events }) => create({ workspaceId, input: { url: url.trim(), events } })}
      onClose={onClose}
      onCreated={(data) => onCreated(data.createWebhook.secret)}
    >
      {({ url, events }, put) => (
        <>
          <TextInput
            type="url"
            label={t("webhooks.address")}
            placeholder="https://example.com/hooks/memory"
            required
            data-autofocus
            value={url}
            onChange={(event) => put({ url: event.currentTarget.value })}
          />
          <Checkbox.Group
            label={t("webhooks.events")}
            value={[...events]}
            onChange={(chosen) => put({ events: EVENTS.filter((event) => chosen.includes(event)) })}
          >
            <Stack gap={6} mt={6}>
              {EVENTS.map((event) => (
                <Checkbox key={event} value={event} label={t(`webhookEvent.${event}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </CreateDialog>
  );
}
