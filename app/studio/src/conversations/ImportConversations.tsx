import { Progress, Text, Textarea, TextInput } from "@mantine/core";
import { FileUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "urql";
import { AppendMessagesDocument, type AppendMessagesInput } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useDraft } from "../memories/useDraft";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { ChooseFile } from "../shell/ChooseFile";
import { Dialog, DialogForm } from "../shell/Dialog";
import { useNotices } from "../shell/useNotices";
import classes from "./conversations.module.css";
import { BATCH, countMessages, idsOf, NoTranscript, readTranscripts, type Transcript } from "./transcripts";

interface ImportConversationsProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onStored: (conversationId: string) => void;
}

/** The dialog that stores conversations: pasted, dropped or chosen. */
export function ImportConversations({ opened, onClose, onStored }: ImportConversationsProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("conversations.import")} size="lg">
      <ImportForm opened={opened} onClose={onClose} onStored={onStored} />
    </Dialog>
  );
}

/** Read what was pasted; nothing is none, and what is no conversation is a problem. */
function read(text: string): readonly Transcript[] | NoTranscript {
  if (text.trim() === "") return [];
  try {
    return readTranscripts(text);
  } catch (error) {
    if (error instanceof NoTranscript) return error;
    throw error;
  }
}

function ImportForm({ opened, onClose, onStored }: ImportConversationsProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const notices = useNotices();
  const client = useClient();
  const workspaceId = useWorkspaceId() ?? null;
  const [text, setText, clear] = useDraft("conversation", "");
  const [title, setTitle] = useState("");
  const [stored, setStored] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const isSending = stored !== undefined;
  const sending = useRef<AbortController>(null);
  useEffect(() => {
    if (!opened) sending.current?.abort(); // the dialog fades while this is still there
    return () => sending.current?.abort();
  }, [opened]);
  const found = read(text);
  const transcripts = found instanceof NoTranscript ? [] : found;
  const count = countMessages(transcripts);

  const store = async (input: AppendMessagesInput): Promise<boolean> => {
    const { data, error } = await client.mutation(AppendMessagesDocument, { workspaceId, input });
    const capture = data?.appendMessages.capture;
    if (capture && (capture.skipped === null || capture.skipped === undefined)) {
      const leftOut = capture.leftOut.filter((one) => !one.isStored);
      const cut = capture.leftOut.filter((one) => one.isStored);
      if (leftOut.length > 0)
        notices.refuse(leftOut[0]?.reason, t("conversations.leftOut", { count: leftOut.length }));
      if (cut.length > 0) notices.refuse(cut[0]?.reason, t("conversations.cut", { count: cut.length }));
      return true;
    }
    setProblem(capture?.skipped ?? reasonOf(error) ?? t("shell.unreachable"));
    return false;
  };
  const send = async () => {
    const { signal } = (sending.current = new AbortController());
    const ids = idsOf(transcripts);
    let done = 0;
    setProblem(undefined);
    for (const [place, transcript] of transcripts.entries()) {
      const named = transcripts.length === 1 && title.trim() !== "" ? title.trim() : transcript.title;
      for (let at = 0; at < transcript.messages.length; at += BATCH) {
        setStored(done);
        const input = {
          conversationId: ids[place] ?? "",
          messages: transcript.messages.slice(at, at + BATCH),
          ...(named !== undefined && { title: named }),
          ...(transcript.platform !== undefined && { platform: transcript.platform }),
        };
        const isStored = await store(input);
        if (isStored) done += input.messages.length;
        if (signal.aborted) {
          setStored(undefined);
          notices.say(
            t("conversations.storedPart", { count: done, shown: number(done), all: number(count) }),
          );
          return;
        }
        if (!isStored) {
          setStored(undefined);
          return;
        }
      }
    }
    notices.say(t("conversations.stored", { count, shown: number(count) }));
    clear();
    onStored(ids.at(-1) ?? "");
  };

  return (
    <DialogForm
      action={t("import.start")}
      isBusy={isSending}
      isDisabled={count === 0}
      refusal={problem}
      drop={{
        onDragOver: (event) => event.preventDefault(),
        onDrop: (event) => {
          event.preventDefault();
          if (!isSending) void event.dataTransfer.files[0]?.text().then(setText);
        },
      }}
      aside={
        <ChooseFile
          accept="application/json,text/markdown,text/plain,.json,.md,.txt"
          disabled={isSending}
          icon={<FileUp size={15} aria-hidden />}
          onChoose={(file) => void file.text().then(setText)}
        />
      }
      onCancel={onClose}
      onSubmit={() => void send()}
    >
      <Text size="sm" c="dimmed">
        {t("conversations.importText")}
      </Text>
      <Textarea
        classNames={{ input: classes.pasted }}
        label={t("conversations.pasted")}
        placeholder={t("conversations.pastedExample")}
        autosize
        minRows={6}
        maxRows={14}
        data-autofocus
        value={text}
        readOnly={isSending}
        error={found instanceof NoTranscript ? t(`conversations.${found.problem}`) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {transcripts.length === 1 && (
        <TextInput
          label={t("conversations.name")}
          placeholder={transcripts[0]?.title}
          value={title}
          readOnly={isSending}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      )}
      {count > 0 && (
        <Text size="sm" aria-live="polite">
          {t("conversations.found", { count, shown: number(count) })}
        </Text>
      )}
      {isSending && (
        <Progress value={(100 * stored) / count} aria-label={t("conversations.import")} animated />
      )}
    </DialogForm>
  );
}
