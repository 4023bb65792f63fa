import { Code, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { NotebookPen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useQuery } from "urql";
import { WorkingSetOfChatDocument, type WorkingSetOfChatQuery } from "../../generated/operations";
import { Loaded } from "../shell/Loaded";
import { Disclosure } from "./Disclosure";

const SLOTS = ["plannerDecision", "recentRetrieval", "intermediateResults"] as const;

function slotsOf(data: WorkingSetOfChatQuery) {
  return SLOTS.flatMap((name) => {
    const value = data[name];
    return value === null || value === undefined ? [] : [{ name, value }];
  });
}

/** What agents keep for the length of this conversation; read only when it is opened, since reading makes it stay. */
export function WorkingSet({ conversationId }: { readonly conversationId: string }) {
  const { t } = useTranslation();
  const [isOpen, { toggle }] = useDisclosure(false);
  const [answer, ask] = useQuery({
    query: WorkingSetOfChatDocument,
    variables: { conversationId },
    pause: !isOpen,
    requestPolicy: "network-only",
  });
  return (
    <Disclosure icon={NotebookPen} label={t("chat.workingSet")} isOpen={isOpen} onToggle={toggle}>
      <Stack gap="xs" mt="xs" role="region" aria-label={t("chat.workingSet")}>
        {(isOpen || answer.data !== undefined) && (
          <Loaded
            answer={answer}
            data={answer.data && slotsOf(answer.data)}
            height={40}
            onRetry={() => ask()}
          >
            {(slots) =>
              slots.length === 0 ? (
                <Text size="xs" c="dimmed">
                  {t("chat.workingSetEmpty")}
                </Text>
              ) : (
                slots.map(({ name, value }) => (
                  <div key={name}>
                    <Text size="xs" c="dimmed">
                      {t(`chat.${name}`)}
                    </Text>
                    <Code block>{JSON.stringify(value, null, 2)}</Code>
                  </div>
                ))
              )
            }
          </Loaded>
        )}
      </Stack>
    </Disclosure>
  );
}
