import { Menu, Text } from "@mantine/core";
import { Send, Trash2, Webhook } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  DeleteWebhookDocument,
  TestWebhookDocument,
  WebhooksDocument,
  type WebhooksQuery,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ConfirmFor } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { RowMenu } from "../shell/RowMenu";
import { Table } from "../shell/Table";
import { useNotices } from "../shell/useNotices";
import { useKeptQuery } from "../shell/useKeptQuery";
import { CreateWebhook } from "./CreateWebhook";
import { Badges, SecretList } from "./SecretList";

type Row = WebhooksQuery["webhooks"][number];

/** The addresses that are told what happens, and how the last deliveries went. */
export function Webhooks() {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({ query: WebhooksDocument, variables: { workspaceId } });
  const [secret, setSecret] = useState<string | null>(null);
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const [, remove] = useMutation(DeleteWebhookDocument);
  const [, test] = useMutation(TestWebhookDocument);
  const reload = () => ask({ requestPolicy: "network-only" });
  const send = async (row: Row) => {
    if ((await dataOf(test({ workspaceId, id: row.id }))) !== undefined) say(t("webhooks.sent"));
  };
  const confirm = async (row: Row) => {
    setToDelete(null);
    await dataOf(remove({ workspaceId, id: row.id }));
    reload();
  };
  return (
    <>
      <Loaded answer={answer} data={answer.data?.webhooks} height={200} onRetry={reload}>
        {(webhooks) => (
          <SecretList
            kind="webhooks"
            dialog={CreateWebhook}
            secret={secret}
            onSecret={setSecret}
            onCreated={reload}
          >
            {webhooks.length === 0 ? (
              <Empty icon={Webhook} title={t("webhooks.none")} text={t("webhooks.noneText")} />
            ) : (
              <Table
                rows={webhooks}
                columns={[
                  { name: t("webhooks.address"), cell: (row) => <Address row={row} /> },
                  {
                    name: t("webhooks.events"),
                    isWide: true,
                    cell: (row) => <Badges names={row.events.map((event) => t(`webhookEvent.${event}`))} />,
                  },
                  {
                    name: t("webhooks.last"),
                    kind: "quiet",
                    isWide: true,
                    cell: (row) => (row.lastDeliveredAt ? ago(row.lastDeliveredAt) : t("keys.never")),
                  },
                ]}
                actions={(row) => (
                  <RowMenu name={row.url}>
                    <Menu.Item leftSection={<Send size={14} aria-hidden />} onClick={() => void send(row)}>
                      {t("webhooks.test")}
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      leftSection={<Trash2 size={14} aria-hidden />}
                      onClick={() => setToDelete(row)}
                    >
                      {t("memories.delete")}
                    </Menu.Item>
                  </RowMenu>
                )}
              />
            )}
          </SecretList>
        )}
      </Loaded>
      <ConfirmFor
        subject={toDelete}
        title={t("webhooks.deleteTitle")}
        action={t("memories.delete")}
        onClose={() => setToDelete(null)}
        onConfirm={(row) => void confirm(row)}
      >
        <Text size="sm">{t("webhooks.deleteText", { url: toDelete?.url })}</Text>
      </ConfirmFor>
    </>
  );
}

/** A webhook's address with the error of its last delivery, or its description. */
function Address({ row: { url, lastError, description } }: { readonly row: Row }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {url}
      </Text>
      {(lastError ?? description) && (
        <Text size="xs" c={lastError ? "var(--mantine-color-error)" : "dimmed"}>
          {lastError ?? description}
        </Text>
      )}
    </>
  );
}
