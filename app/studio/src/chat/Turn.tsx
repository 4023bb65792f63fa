import { Alert, Anchor, Button, Code, Collapse, Group, Loader, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { BookmarkPlus, Brain, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMutation } from "urql";
import { RememberTextDocument } from "../../generated/operations";
import { Markdown } from "../conversations/Markdown";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useNotices } from "../shell/useNotices";
import classes from "./chat.module.css";
import { type Context, type Exchange, UNREACHABLE } from "./useChat";

interface TurnProps {
  readonly exchange: Exchange;
  readonly conversationId: string;
  readonly isAnswering: boolean;
  readonly onAgain: (() => void) | undefined;
}

/** One question with its answer; above it what the model was given to remember. */
export function Turn({ exchange, conversationId, isAnswering, onAgain }: TurnProps) {
  const { t } = useTranslation();
  const { question, answer, context, failure, code } = exchange;
  return (
    <section className={classes.turn} aria-label={question}>
      {context !== null && <Injected context={context} />}
      <div className={classes.question}>
        <Markdown text={question} />
        <Remember text={question} conversationId={conversationId} />
      </div>
      <div className={classes.answer} aria-live="polite" aria-busy={isAnswering}>
        {answer === "" && isAnswering && <Loader size="xs" type="dots" aria-label={t("chat.answering")} />}
        <Markdown text={answer} />
        {answer !== "" && !isAnswering && <Remember text={answer} conversationId={conversationId} />}
      </div>
      {failure !== undefined && (
        <Alert color="red" title={t("chat.failed")}>
          <Text size="sm">
            {code === "upstream_not_configured"
              ? t("chat.noUpstream")
              : code === UNREACHABLE
                ? t("shell.unreachable")
                : failure}
          </Text>
          {onAgain && (
            <Button
              mt="xs"
              size="compact-sm"
              variant="default"
              leftSection={<RotateCcw size={13} aria-hidden />}
              onClick={onAgain}
            >
              {t("shell.retry")}
            </Button>
          )}
        </Alert>
      )}
    </section>
  );
}

/** What was put before the question: how many memories, and the text itself when it is opened. */
function Injected({ context }: { readonly context: Context }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const [isOpen, { toggle }] = useDisclosure(false);
  if (context.prompt === "")
    return (
      <Text size="xs" c="dimmed">
        {t("chat.nothingInjected")}
      </Text>
    );
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<Brain size={13} aria-hidden />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {t("chat.injected", { count: context.memories.length, tokens: number(context.tokens) })}
      </Button>
      <Collapse expanded={isOpen}>
        <div className={classes.injected}>
          {context.memories.map(({ memory }) => (
            <Anchor key={memory.id} component={Link} to={`/memories?memory=${memory.id}`} size="sm">
              {memory.content}
            </Anchor>
          ))}
          {context.entities.length + context.patterns.length > 0 && (
            <Group gap="md">
              {context.entities.map(({ id, name, type }) => (
                <Anchor key={id} component={Link} to={`/graph?from=${id}&node=${id}`} size="sm">
                  {name} ({type})
                </Anchor>
              ))}
              {context.patterns.map(({ id, actionType, nodeType, errorCode }) => (
                <Anchor key={id} component={Link} to="/agents?tab=patterns" size="sm">
                  {[actionType, nodeType, errorCode].filter(Boolean).join(" · ")}
                </Anchor>
              ))}
            </Group>
          )}
          <Code block>{context.prompt}</Code>
        </div>
      </Collapse>
    </div>
  );
}

function Remember({ text, conversationId }: { readonly text: string; readonly conversationId: string }) {
  const { t } = useTranslation();
  const notices = useNotices();
  const [{ fetching, data }, remember] = useMutation(RememberTextDocument);
  const save = async () => {
    const { data: saved, error } = await remember({
      workspaceId: null,
      input: { content: text, conversationId },
    });
    if (saved === undefined) notices.refuse(t("conversations.notRemembered"), reasonOf(error));
    else notices.say(t(`outcome.${saved.rememberMessage.outcome}`));
  };
  return (
    <Group justify="flex-end">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        loading={fetching}
        leftSection={<BookmarkPlus size={13} aria-hidden />}
        onClick={() => void save()}
      >
        {data === undefined ? t("conversations.remember") : t("chat.remembered")}
      </Button>
    </Group>
  );
}
