import { Button, Group, List, Text } from "@mantine/core";
import { Radar } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMutation } from "urql";
import {
  AnnotatePatternDocument,
  type PatternRowFragment,
  PatternsDocument,
  PromotePatternsDocument,
} from "../../generated/operations";
import { useWorkspaceId } from "../server/workspace";
import { Confirm } from "../shell/Confirm";
import { Empty } from "../shell/Empty";
import { ForWriters } from "../shell/ForWriters";
import { PagedList } from "../shell/PagedList";
import { useNotices } from "../shell/useNotices";
import { usePages } from "../shell/usePages";
import { PatternLine } from "./PatternLine";
import { Turns } from "./turns";

/** What agents are warned of, with the runs behind it; a person may add a note or keep it from them. */
export function Patterns() {
  const { t } = useTranslation();
  const { say, dataOf } = useNotices();
  const workspaceId = useWorkspaceId() ?? null;
  const pages = usePages(PatternsDocument, { workspaceId }, (data) => data.patterns);
  const [edited, setEdited] = useState<ReadonlyMap<string, PatternRowFragment>>(new Map());
  const [found, setFound] = useState<readonly PatternRowFragment[] | null>(null);
  const [{ fetching }, promote] = useMutation(PromotePatternsDocument);
  const [, annotate] = useMutation(AnnotatePatternDocument);
  const turns = useRef(new Turns());
  const stored = useRef(new Map<string, PatternRowFragment>()); // as the server has what is being changed
  const show = (row: PatternRowFragment) => setEdited((now) => new Map(now).set(row.id, row));
  const change = async (row: PatternRowFragment, part: { note?: string; suppressed?: boolean }) => {
    if (!turns.current.isWaiting(row.id)) stored.current.set(row.id, row);
    show({ ...row, ...part });
    const { result, isLast } = await turns.current.take(row.id, () =>
      dataOf(annotate({ workspaceId, id: row.id, ...part })),
    );
    if (result !== undefined) stored.current.set(row.id, result.annotatePattern);
    if (isLast) show(stored.current.get(row.id) ?? row);
    return result !== undefined;
  };
  const ask = async (dryRun: boolean) => {
    const done = await dataOf(promote({ workspaceId, dryRun }));
    if (done === undefined) return;
    if (dryRun) {
      setFound(done.promotePatterns);
      return;
    }
    setFound(null);
    say(t("agents.promoted", { count: done.promotePatterns.length }));
    setEdited(new Map());
    pages.reload();
  };
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          {t("agents.patternsText")}
        </Text>
        <ForWriters>
          <Button variant="default" loading={fetching} onClick={() => void ask(true)}>
            {t("agents.promote")}
          </Button>
        </ForWriters>
      </Group>
      <PagedList
        pages={pages}
        empty={<Empty icon={Radar} title={t("agents.noPatterns")} text={t("agents.noPatternsText")} />}
      >
        {pages.rows.map((row) => (
          <PatternLine
            key={row.id}
            pattern={edited.get(row.id) ?? row}
            onChange={(part) => change(edited.get(row.id) ?? row, part)}
          />
        ))}
      </PagedList>
      <Confirm
        opened={found !== null}
        title={t("agents.promoteTitle")}
        action={t("agents.promoteNow")}
        isHarmless
        isBusy={fetching}
        isDisabled={!found || found.length === 0}
        onClose={() => setFound(null)}
        onConfirm={() => void ask(false)}
      >
        {found?.length === 0 && <Text size="sm">{t("agents.nothingToPromote")}</Text>}
        <List size="sm" spacing="xs">
          {found?.map((row) => (
            <List.Item key={row.id}>
              {row.change && <b>{t(`patternChange.${row.change}`)}: </b>}
              {row.text}
            </List.Item>
          ))}
        </List>
      </Confirm>
    </>
  );
}
