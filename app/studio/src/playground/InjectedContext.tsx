import { Group, List, Select, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { FileX2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { InjectedContextDocument, type InjectionFormat } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { useWorkspaceId } from "../server/workspace";
import { Loaded } from "../shell/Loaded";
import { CopyText } from "../shell/CopyText";
import { Empty } from "../shell/Empty";
import classes from "./playground.module.css";

const FORMATS: readonly InjectionFormat[] = ["SYSTEM_PROMPT", "SYSTEM_MESSAGE", "USER_SUFFIX"];
const USUAL_TOKENS = 2000;
const DEBOUNCE_MS = 300;

interface InjectedContextProps {
  readonly query: string;
  readonly budget: number;
}

/** The very text that an agent would be given with this message, to copy. */
export function InjectedContext({ query, budget }: InjectedContextProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const workspaceId = useWorkspaceId() ?? null;
  const [format, setFormat] = useState<InjectionFormat>("SYSTEM_PROMPT");
  const [typed, setTyped] = useState("");
  const [provider] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const [typedUser, setTypedUser] = useState("");
  const [userId] = useDebouncedValue(typedUser.trim(), DEBOUNCE_MS);
  const [withProfile, setWithProfile] = useState(false);
  const [answer, ask] = useQuery({
    query: InjectedContextDocument,
    variables: {
      workspaceId,
      input: {
        query,
        format,
        maxTokens: budget > 0 ? budget : USUAL_TOKENS,
        dryRun: true,
        profile: withProfile,
        ...(provider !== "" && { provider }),
        ...(userId !== "" && { scope: { userId } }),
      },
    },
    requestPolicy: "network-only",
  });
  const context = answer.data?.context;
  const isPrompt = format === "SYSTEM_PROMPT" && provider === "";
  const text = context && (isPrompt ? context.prompt : JSON.stringify(context.messages, null, 2));

  return (
    <section className={`card ${classes.panel}`} aria-busy={answer.fetching}>
      <Group className={classes.panelHead} justify="space-between" align="flex-end">
        <Group gap="sm" align="flex-end">
          <Select
            label={t("playground.format")}
            data={FORMATS.map((each) => ({ value: each, label: t(`format.${each}`) }))}
            value={format}
            onChange={(value) => setFormat(FORMATS.find((each) => each === value) ?? "SYSTEM_PROMPT")}
            allowDeselect={false}
          />
          <TextInput
            label={t("playground.provider")}
            placeholder="openai, zai/glm-4.6"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <TextInput
            label={t("playground.user")}
            placeholder={t("playground.everyUser")}
            value={typedUser}
            onChange={(event) => setTypedUser(event.currentTarget.value)}
          />
          <Switch
            mb={8}
            label={t("playground.profile")}
            checked={withProfile}
            onChange={(event) => setWithProfile(event.currentTarget.checked)}
          />
        </Group>
        {text !== undefined && context?.prompt !== "" && (
          <Group gap="sm">
            <Text size="xs" c="dimmed">
              {t("playground.tokens", { count: context?.tokens ?? 0, shown: number(context?.tokens ?? 0) })}
            </Text>
            <CopyText value={text} />
          </Group>
        )}
      </Group>
      <Loaded
        answer={answer}
        data={context}
        height={120}
        failed={t("playground.failed")}
        onRetry={() => ask()}
      >
        {({ prompt, missing }) => (
          <>
            {prompt === "" ? (
              <Empty icon={FileX2} title={t("playground.noContext")} text={t("playground.noContextText")} />
            ) : (
              // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard
              <pre className={classes.context} tabIndex={0} aria-label={t("playground.context")}>
                {text}
              </pre>
            )}
            {missing.length > 0 && (
              <List size="xs" c="dimmed" p="md" pl={34} aria-label={t("playground.missing")} lang="en">
                {missing.map((each) => (
                  <List.Item key={each.part}>
                    {each.part}: {each.why}
                  </List.Item>
                ))}
              </List>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
