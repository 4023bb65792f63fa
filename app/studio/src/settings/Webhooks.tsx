import { Badge, Group, Menu, Text } from "@mantine/core";
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
import { Answered } from "../shell/Answered";
import { ConfirmFor } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { RowMenu } from "../shell/RowMenu";
import { Table } from "../shell/Table";
import classes from "../shell/table.module.css";
import { useAnswers } from "../shell/useAnswers";
import { useKeptQuery } from "../shell/useKeptQuery";
import { CreateWebhook } from "./CreateWebhook";
import { SecretList } from "./SecretList";

type Row = WebhooksQuery["webhooks"][number];

/** The addresses that are told what happens, and how the last deliveries went. */
export function Webhooks() {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { say, taken } = useAnswers();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({ query: WebhooksDocument, variables: { workspaceId } });
  const [secret, setSecret] = useState<string | null>(null);
  const [toDelete, setToDelete] = useState<Row | null>(null);
  const [, remove] = useMutation(DeleteWebhookDocument);
  const [, test] = useMutation(TestWebhookDocument);
  const reload = () => ask({ requestPolicy: "network-only" });
  const send = async (row: Row) => {
    if ((await taken(test({ workspaceId, id: row.id }))) !== undefined) say(t("webhooks.sent"));
  };
  const confirm = async (row: Row) => {
    setToDelete(null);
    await taken(remove({ workspaceId, id: row.id }));
    reload();
  };
  return (
    <>
      <Answered answer={answer} thing={answer.data?.webhooks} height={200} onRetry={reload}>
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
                hasActions
                columns={[
                  { name: t("webhooks.address") },
                  { name: t("webhooks.events"), className: classes.wide },
                  { name: t("webhooks.last"), className: classes.wide },
                ]}
              >
                {(row) => (
                  <tr key={row.id}>
                    <td>
                      <Text size="sm" fw={500}>
                        {row.url}
                      </Text>
                      {(row.lastError ?? row.description) && (
                        <Text size="xs" c={row.lastError ? "var(--mantine-color-error)" : "dimmed"}>
                          {row.lastError ?? row.description}
                        </Text>
                      )}
                    </td>
                    <td className={classes.wide}>
                      <Group gap={4}>
                        {row.events.map((event) => (
                          <Badge key={event} variant="default" tt="none" size="sm">
                            {t(`webhookEvent.${event}`)}
                          </Badge>
                        ))}
                      </Group>
                    </td>
                    <td className={`${classes.wide ?? ""} ${classes.quiet ?? ""}`}>
                      {row.lastDeliveredAt ? ago(row.lastDeliveredAt) : t("keys.never")}
                    </td>
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
                  </tr>
                )}
              </Table>
            )}
          </SecretList>
        )}
      </Answered>
      <ConfirmFor
        thing={toDelete}
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
