import { Button } from "@mantine/core";
import { FileUp, MessagesSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { MemoryOff } from "../home/MemoryBanner";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { ConversationDetail } from "./ConversationDetail";
import { ConversationList } from "./ConversationList";
import classes from "./conversations.module.css";
import { ImportConversations } from "./ImportConversations";

export const OPEN = "conversation";
const DIALOG = "dialog";

/** What was said, and what was learnt from it. */
export function ConversationsPage() {
  const { t } = useTranslation();
  const { search, put } = useAddress();
  const workspaceId = useWorkspaceId() ?? null;
  const openId = search.get(OPEN);
  const openImport = () => put({ [DIALOG]: "import" });

  return (
    <Page
      title={t("conversations.title")}
      description={t("conversations.description")}
      actions={
        <ForWriters>
          <Button leftSection={<FileUp size={15} aria-hidden />} onClick={openImport}>
            {t("conversations.import")}
          </Button>
        </ForWriters>
      }
    >
      <MemoryOff workspaceId={workspaceId} />
      <div className={classes.grid} data-open={openId !== null || undefined}>
        <ConversationList openId={openId} onImport={openImport} />
        {openId === null ? (
          <div className={`card ${classes.unchosen}`}>
            <Empty
              icon={MessagesSquare}
              title={t("conversations.choose")}
              text={t("conversations.chooseText")}
            />
          </div>
        ) : (
          <ConversationDetail
            key={openId}
            id={openId}
            tab={search.get("tab")}
            targetId={search.get("message")}
            onTab={(tab) => put({ tab, message: null })}
            onClose={() => put({ [OPEN]: null, tab: null, message: null })}
          />
        )}
      </div>
      <ImportConversations
        opened={search.get(DIALOG) === "import"}
        onClose={() => put({ [DIALOG]: null })}
        onStored={(id) => put({ [OPEN]: id, tab: null, message: null, [DIALOG]: null })}
      />
    </Page>
  );
}
