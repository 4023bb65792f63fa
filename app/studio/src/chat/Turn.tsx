import { Alert, Anchor, Button, Code, Group, Loader, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { BookmarkPlus, Brain, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMutation } from "urql";
import { RememberTextDocument } from "../../generated/operations";
import { Markdown } from "../conversations/Markdown";
import { useFormats } from "../i18n/formats";
import { MOST_CHARACTERS } from "../memories/limits";
import { ForWriters } from "../shell/ForWriters";
import { useNotices } from "../shell/useNotices";
import classes from "./chat.module.css";
import { Disclosure } from "./Disclosure";
import { type Context, type Exchange, LEFT, UNREACHABLE } from "./useChat";

interface TurnProps {
  readonly exchange: Exchange;
  readonly conversationId: string;
  readonly isAnswering: boolean;
  readonly onAgain: (() => void) | undefined;
}

/** One question with its answer; above it what the model was given to remember. */
export function Turn({ exchange, conversationId, isAnswering, onAgain }: TurnProps) {
  const { t } = useTranslation();
  const { question, answer, context, nodeIds = [], failure, code } = exchange;
  const reasons: Readonly<Record<string, string>> = {
    upstream_not_configured: t("chat.noUpstream"),
    [UNREACHABLE]: t("shell.unreachable"),
    [LEFT]: t("chat.left"),
  };
  return (
    <section className={classes.turn} aria-label={question}>
      {context !== null && <Injected context={context} />}
      <div className={classes.question}>
        <Markdown text={question} />
        <Remember text={question} speaker="user" conversationId={conversationId} />
      </div>
      <div className={classes.answer} aria-live="polite" aria-busy={isAnswering}>
        {answer === "" && isAnswering && <Loader size="xs" type="dots" aria-label={t("chat.answering")} />}
        <Markdown text={answer} />
        {answer !== "" && nodeIds.length > 0 && <Support ids={nodeIds} context={context} />}
        {answer !== "" && !isAnswering && (
          <Remember text={answer} speaker="assistant" conversationId={conversationId} />
        )}
      </div>
      {failure !== undefined && (
        <Alert
          color={code === LEFT ? "yellow" : "red"}
          title={code === LEFT ? t("chat.brokenOff") : t("chat.failed")}
        >
          <Text size="sm">{reasons[code ?? ""] ?? failure}</Text>
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
    <Disclosure
      icon={Brain}
      label={t("chat.injected", { count: context.memories.length, tokens: number(context.tokens) })}
      isOpen={isOpen}
      onToggle={toggle}
    >
      <div className={classes.injected}>
        {context.memories.map(({ memory, promptText }) => (
          <Anchor key={memory.id} component={Link} to={`/memories?memory=${memory.id}`} size="sm">
            {promptText}
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
    </Disclosure>
  );
}

interface SupportProps {
  readonly ids: readonly string[];
  readonly context: Context | null;
}

/** The nodes that the model was given for its answer, each by what it says or is called. */
function Support({ ids, context }: SupportProps) {
  const { t } = useTranslation();
  const memories = new Map(context?.memories.map(({ memory, promptText }) => [memory.id, promptText]));
  const entities = new Map(context?.entities.map(({ id, name }) => [id, name]));
  const patterns = new Map(context?.patterns.map(({ id, actionType }) => [id, actionType]));
  const placeOf = (id: string) => {
    if (memories.has(id)) return `/memories?memory=${id}`;
    return patterns.has(id) ? "/agents?tab=patterns" : `/graph?from=${id}&node=${id}`;
  };
  return (
    <Group component="ul" gap="xs" p={0} aria-label={t("chat.support")}>
      <Text size="xs" c="dimmed" component="li" style={{ listStyle: "none" }}>
        {t("chat.support")}
      </Text>
      {ids.map((id) => (
        <li key={id} style={{ listStyle: "none" }}>
          <Anchor component={Link} to={placeOf(id)} size="xs" lineClamp={1} maw={260}>
            {memories.get(id) ?? entities.get(id) ?? patterns.get(id) ?? t("chat.otherNode")}
          </Anchor>
        </li>
      ))}
    </Group>
  );
}

interface RememberProps {
  readonly text: string;
  readonly speaker: "user" | "assistant";
  readonly conversationId: string;
}

function Remember({ text, speaker, conversationId }: RememberProps) {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const [{ fetching, data }, remember] = useMutation(RememberTextDocument);
  const save = async () => {
    const input = {
      content: text.trim().slice(0, MOST_CHARACTERS),
      speaker,
      sourceType: "user",
      sourceConversationId: conversationId,
    };
    const work = remember({ workspaceId: null, input });
    const saved = await dataOf(work, t("conversations.notRemembered"));
    if (saved === undefined) return;
    const done = t(`outcome.${saved.saveMemory.outcome}`);
    const isWhole = text.trim().length <= MOST_CHARACTERS;
    say(isWhole ? done : t("chat.rememberedCut", { outcome: done }));
  };
  return (
    <Group justify="flex-end">
      <ForWriters>
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
      </ForWriters>
    </Group>
  );
}
