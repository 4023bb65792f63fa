import { Button, Group, List, ScrollArea, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import { CompactMemoriesDocument, type CompactMemoriesMutation } from "../../generated/operations";
import { useFormats } from "../i18n/formats";
import { reasonOf } from "../server/client";
import { useWorkspaceId } from "../server/workspace";
import { Dialog, DialogForm } from "../shell/Dialog";
import { NumberField } from "../shell/NumberField";
import { useNotices } from "../shell/useNotices";
import { useTrial } from "../shell/useTrial";

const USUAL_DAYS = 30;
type Report = CompactMemoriesMutation["compactMemories"];

interface CompactMemoriesProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Compacts old memories: first what would happen, then, confirmed, that. */
export function CompactMemories({ opened, onClose, onDone }: CompactMemoriesProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("compact.title")} size="lg">
      <Compaction onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function Compaction({ onClose, onDone }: Omit<CompactMemoriesProps, "opened">) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const notices = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const [days, setDays] = useState(USUAL_DAYS);
  const [{ error, fetching }, compact] = useMutation(CompactMemoriesDocument);
  const input = { olderThanDays: days };
  const { answer: report, tryOut } = useTrial<typeof input, Report | undefined>(input);
  const ask = async (dryRun: boolean) =>
    (await compact({ workspaceId, input: { ...input, dryRun } })).data?.compactMemories;
  const confirm = async () => {
    const count = (await ask(false))?.candidateCount;
    if (count === undefined) return;
    notices.say(t("compact.done", { count, shown: number(count) }));
    onDone();
    onClose();
  };

  return (
    <DialogForm
      action={t("compact.confirm", { count: report?.candidateCount ?? 0 })}
      color="red.9"
      isDisabled={fetching || !report || report.candidateCount === 0}
      refusal={reasonOf(error)}
      onCancel={onClose}
      onSubmit={() => void confirm()}
    >
      <Text size="sm" c="dimmed">
        {t("compact.text")}
      </Text>
      <Group align="flex-end">
        <NumberField
          label={t("compact.olderThan")}
          value={days}
          min={1}
          max={3650}
          allowDecimal={false}
          onChange={setDays}
          data-autofocus
        />
        <Button variant="default" loading={fetching} onClick={() => void tryOut(input, ask(true))}>
          {t("compact.tryOut")}
        </Button>
      </Group>
      {report && !fetching && (
        <Stack gap="xs" aria-live="polite">
          <Text fw={600}>
            {t("compact.candidates", { count: report.candidateCount, shown: number(report.candidateCount) })}
          </Text>
          {report.candidateCount > 0 && (
            <>
              <Text size="sm" c="dimmed">
                {t("compact.tokens", {
                  before: number(report.tokensBefore),
                  after: number(report.tokensAfter),
                })}
              </Text>
              <ScrollArea.Autosize mah={220}>
                <List size="sm" spacing={4}>
                  {report.candidates.map((each) => (
                    <List.Item key={each.id}>{each.content}</List.Item>
                  ))}
                </List>
              </ScrollArea.Autosize>
            </>
          )}
        </Stack>
      )}
    </DialogForm>
  );
}
