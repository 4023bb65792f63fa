import { Code, Menu, Text } from "@mantine/core";
import { KeyRound, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  ApiKeysDocument,
  type KeyRowFragment,
  RevokeApiKeyDocument,
  RotateApiKeyDocument,
} from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useAccount } from "../server/account";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { ConfirmFor } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { RowMenu } from "../shell/RowMenu";
import { Table } from "../shell/Table";
import { useNotices } from "../shell/useNotices";
import { useKeptQuery } from "../shell/useKeptQuery";
import { CreateKey } from "./CreateKey";
import { Badges, SecretList } from "./SecretList";

/** The keys of the workspace that is shown: made, replaced and revoked. */
export function Keys() {
  const { t } = useTranslation();
  const { dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [answer, ask] = useKeptQuery({ query: ApiKeysDocument, variables: { workspaceId } });
  const [secret, setSecret] = useState<string | null>(null);
  const [toRevoke, setToRevoke] = useState<KeyRowFragment | null>(null);
  const [, rotate] = useMutation(RotateApiKeyDocument);
  const [, revoke] = useMutation(RevokeApiKeyDocument);
  const reload = () => ask({ requestPolicy: "network-only" });
  const replace = async (key: KeyRowFragment) => {
    const done = await dataOf(rotate({ id: key.id }));
    if (done !== undefined) setSecret(done.rotateApiKey.secret);
    reload();
  };
  const confirm = async (key: KeyRowFragment) => {
    await dataOf(revoke({ id: key.id }));
    setToRevoke(null);
    reload();
  };
  return (
    <>
      <Loaded answer={answer} data={answer.data?.apiKeys} height={200} onRetry={reload}>
        {(keys) => (
          <SecretList kind="keys" dialog={CreateKey} secret={secret} onSecret={setSecret} onCreated={reload}>
            {keys.length === 0 ? (
              <Empty icon={KeyRound} title={t("keys.none")} text={t("keys.text")} />
            ) : (
              <KeyTable keys={keys} onRotate={(key) => void replace(key)} onRevoke={setToRevoke} />
            )}
          </SecretList>
        )}
      </Loaded>
      <ConfirmFor
        subject={toRevoke}
        title={t("keys.revokeTitle", { name: toRevoke?.name })}
        action={t("keys.revoke")}
        onClose={() => setToRevoke(null)}
        onConfirm={(key) => void confirm(key)}
      >
        <Text size="sm">{t("keys.revokeText")}</Text>
      </ConfirmFor>
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly KeyRowFragment[];
  readonly onRotate: (key: KeyRowFragment) => void;
  readonly onRevoke: (key: KeyRowFragment) => void;
}

function KeyTable({ keys, onRotate, onRevoke }: KeyTableProps) {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const ownId = useAccount().keyId;
  return (
    <Table
      rows={keys}
      columns={[
        {
          name: t("keys.name"),
          cell: (key) => (
            <>
              <Text size="sm" fw={500}>
                {key.name}
              </Text>
              <Code>{key.prefix}…</Code>
            </>
          ),
        },
        {
          name: t("keys.scopes"),
          cell: (key) => <Badges names={key.scopes.map((scope) => t(`scope.${scope}`))} />,
        },
        {
          name: t("keys.bound"),
          isWide: true,
          cell: (key) => [key.userId, key.agentId].filter(Boolean).join(" · ") || "–",
        },
        {
          name: t("keys.lastUsed"),
          isWide: true,
          cell: (key) => (key.lastUsedAt ? ago(key.lastUsedAt) : t("keys.never")),
        },
      ]}
      actions={(key) => (
        <RowMenu name={key.name}>
          <Menu.Item leftSection={<RotateCw size={14} aria-hidden />} onClick={() => onRotate(key)}>
            {t("keys.rotate")}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<Trash2 size={14} aria-hidden />}
            disabled={key.id === ownId}
            onClick={() => onRevoke(key)}
          >
            {t("keys.revoke")}
          </Menu.Item>
        </RowMenu>
      )}
    />
  );
}
