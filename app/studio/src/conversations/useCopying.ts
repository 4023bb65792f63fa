import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { TranscriptDocument, type TranscriptQueryVariables } from "../../generated/operations";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { copyText, NotCopied } from "../shell/clipboard";
import { useNotices } from "../shell/useNotices";

const COPIED_TOGETHER = 200; // messages

/** Return what puts the whole transcript of a conversation on the clipboard, as Markdown. */
export function useCopying(id: string): () => void {
  const { t } = useTranslation();
  const notices = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const whole = async () => {
    const pages: string[] = [];
    for (let after: string | null = null, isWhole = false; !isWhole;) {
      const asked: TranscriptQueryVariables = { workspaceId, id, first: COPIED_TOGETHER, after };
      const answer = await client.query(TranscriptDocument, asked, { requestPolicy: "network-only" });
      const page = answer.data?.conversation?.messages;
      if (page === undefined) throw new Error(reasonOf(answer.error) ?? t("conversations.gone"));
      pages.push(page.markdown);
      after = page.pageInfo.endCursor ?? null;
      isWhole = !page.pageInfo.hasNextPage;
    }
    return pages.join("\n\n");
  };
  const copy = async () => {
    try {
      await copyText(whole());
      notices.say(t("conversations.copied"));
    } catch (error) {
      const reason = error instanceof NotCopied ? t("shell.noClipboard") : (error as Error).message;
      notices.refuse(reason, t("conversations.notCopied"));
    }
  };
  return () => void copy();
}
