import { Menu, Text } from "@mantine/core";
import { Download, IdCard, UserRoundX, Users as People } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { UsersDocument } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { RowMenu } from "../shell/RowMenu";
import { PagedTable } from "../shell/Table";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";
import { EraseUser } from "./EraseUser";
import { exportUser } from "./exportUser";
import { UserProfile } from "./UserProfile";

/** Whose memories there are; what is kept of each can be taken out, and erased. */
export function Users() {
  const { t } = useTranslation();
  const { ago, number } = useFormats();
  const { refuse } = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(UsersDocument, { workspaceId }, (data) => data.users);
  const [toErase, setToErase] = useState<string | null>(null);
  const [toShow, setToShow] = useState<string | null>(null);
  const take = (userId: string) => {
    exportUser(client, workspaceId, userId).catch((error: unknown) =>
      refuse(error instanceof Error ? error.message : undefined),
    );
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("users.text")}
      </Text>
      <PagedTable
        pages={pages}
        empty={<Empty icon={People} title={t("users.none")} text={t("users.noneText")} />}
        columns={[
          {
            name: t("memories.user"),
            cell: (user) => (
              <Text size="sm" fw={500}>
                {user.id}
              </Text>
            ),
          },
          { name: t("memories.title"), kind: "number", cell: (user) => number(user.memories) },
          {
            name: t("users.deleted"),
            kind: "number",
            isWide: true,
            cell: (user) => number(user.deletedMemories),
          },
          {
            name: t("users.conversations"),
            kind: "number",
            isWide: true,
            cell: (user) => number(user.conversations),
          },
          { name: t("users.runs"), kind: "number", isWide: true, cell: (user) => number(user.runs) },
          {
            name: t("keys.lastUsed"),
            kind: "quiet",
            isWide: true,
            cell: (user) => (user.lastUsedAt ? ago(user.lastUsedAt) : t("keys.never")),
          },
        ]}
        actions={(user) => (
          <RowMenu name={user.id}>
            <Menu.Item leftSection={<IdCard size={14} aria-hidden />} onClick={() => setToShow(user.id)}>
              {t("users.profile")}
            </Menu.Item>
            <Menu.Item leftSection={<Download size={14} aria-hidden />} onClick={() => take(user.id)}>
              {t("users.export")}
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<UserRoundX size={14} aria-hidden />}
              onClick={() => setToErase(user.id)}
            >
              {t("users.erase")}
            </Menu.Item>
          </RowMenu>
        )}
      />
      <UserProfile userId={toShow} onClose={() => setToShow(null)} />
      <EraseUser userId={toErase} onClose={() => setToErase(null)} onDone={pages.reload} />
    </>
  );
}
