import { Button, Menu } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Download, FileUp, Library, MoreHorizontal, PackageOpen, Plus, SearchX, Upload } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../server/account";
import { useWorkspaceId } from "../server/workspace";
import { Empty } from "../shell/Empty";
import { Failure } from "../shell/Failure";
import { ForWriters } from "../shell/ForWriters";
import { Page } from "../shell/Page";
import { useAddress } from "../shell/useAddress";
import { AddMemory } from "./AddMemory";
import { type BulkAction, BulkBar } from "./BulkBar";
import { BulkDialog } from "./BulkDialog";
import { CompactMemories } from "./CompactMemories";
import { DeleteMemory } from "./DeleteMemory";
import { FilterBar } from "./FilterBar";
import { countFilters, type Filters, NO_FILTERS, readFilters, toMemoryFilter, writeFilters } from "./filters";
import { HowItWorks } from "./HowItWorks";
import { ImportMemories } from "./ImportMemories";
import { MemoriesTable } from "./MemoriesTable";
import { MemoryDrawer } from "./MemoryDrawer";
import type { MemoryRow } from "./memoryList";
import { type Chosen, countChosen, MOST_CHOSEN, NONE_CHOSEN, toSelection } from "./selection";
import { Statistics } from "./Statistics";
import { download } from "./transfer";
import { useMemoryActions } from "./useMemoryActions";
import { useMemories } from "./useMemories";

const OPEN = "memory";
const DIALOG = "dialog";

/** What agents remember: found, corrected, deleted and followed as it changes. */
export function MemoriesPage() {
  const { t } = useTranslation();
  const workspaceId = useWorkspaceId();
  const { search, change, put } = useAddress();
  const filters = useMemo(() => readFilters(search), [search]);
  const filterText = JSON.stringify(toMemoryFilter(filters)); // the same filter asks nothing anew
  const filter = useMemo(() => JSON.parse(filterText) as ReturnType<typeof toMemoryFilter>, [filterText]);
  const memories = useMemories(workspaceId, filter, filters.order);
  const actions = useMemoryActions(workspaceId, memories);
  const [toDelete, setToDelete] = useState<MemoryRow | null>(null);
  const [choice, setChoice] = useState({ among: filterText, chosen: NONE_CHOSEN });
  const chosen = choice.among === filterText ? choice.chosen : NONE_CHOSEN; // of other rows nothing was chosen
  const setChosen = (next: Chosen) => setChoice({ among: filterText, chosen: next });
  const [bulkAction, setBulkAction] = useState<BulkAction | null>(null);
  const [isImporting, importing] = useDisclosure(false);
  const [isCompacting, compacting] = useDisclosure(false);
  const show = (name: string, value: string | null) => put({ [name]: value }, { replace: value === null });
  const narrow = (next: Filters) => change((now) => writeFilters(next, now), { replace: true });
  const mayWrite = useMayWrite();
  const add = () => mayWrite && show(DIALOG, "add");
  useHotkeys([["n", add]]);

  const { rows, phase, reason } = memories.list;
  const isNarrowed = filters.text !== "" || filters.types.length > 0 || countFilters(filters) > 0;
  const isEmpty = phase === "ready" && rows.length === 0;
  const openId = search.get(OPEN);

  return (
    <Page
      title={t("memories.title")}
      description={t("memories.description")}
      actions={
        <>
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <Button variant="default" leftSection={<MoreHorizontal size={15} aria-hidden />}>
                {t("memories.more")}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<Upload size={14} aria-hidden />}
                disabled={!mayWrite}
                onClick={importing.open}
              >
                {t("import.title")}
              </Menu.Item>
              <Menu.Item
                leftSection={<Download size={14} aria-hidden />}
                disabled={rows.length === 0}
                onClick={() => download(rows, `memories-${new Date().toISOString().slice(0, 10)}.json`)}
              >
                {t("memories.export", { count: rows.length })}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                leftSection={<PackageOpen size={14} aria-hidden />}
                disabled={!mayWrite}
                onClick={compacting.open}
              >
                {t("compact.title")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button leftSection={<Plus size={15} aria-hidden />} disabled={!mayWrite} onClick={add}>
            {t("add.title")}
          </Button>
        </>
      }
    >
      <Statistics list={memories.list} />
      <HowItWorks />
      <FilterBar filters={filters} onChange={narrow} />
      {countChosen(chosen, memories.list.total) > 0 && (
        <BulkBar
          chosen={chosen}
          total={memories.list.total}
          mayChooseAll={isNarrowed && chosen.ids.size >= Math.min(rows.length, MOST_CHOSEN)}
          onChooseAll={() => setChosen({ ...chosen, isAll: true })}
          onClear={() => setChosen(NONE_CHOSEN)}
          onAct={setBulkAction}
        />
      )}
      {phase === "failed" && rows.length === 0 ? (
        <div className="card">
          <Failure reason={reason} onRetry={memories.reload} />
        </div>
      ) : isEmpty ? (
        <div className="card">
          {isNarrowed ? (
            <Empty icon={SearchX} title={t("memories.noneMatch")} text={t("memories.noneMatchText")}>
              <Button
                variant="default"
                mt="sm"
                onClick={() => narrow({ ...NO_FILTERS, order: filters.order })}
              >
                {t("memories.clearFilters")}
              </Button>
            </Empty>
          ) : (
            <Empty icon={Library} title={t("memories.none")} text={t("memories.noneText")}>
              <ForWriters>
                <Button mt="sm" leftSection={<Plus size={15} aria-hidden />} onClick={add}>
                  {t("add.title")}
                </Button>
                <Button
                  variant="subtle"
                  leftSection={<FileUp size={15} aria-hidden />}
                  onClick={importing.open}
                >
                  {t("import.title")}
                </Button>
              </ForWriters>
            </Empty>
          )}
        </div>
      ) : (
        <MemoriesTable
          memories={memories}
          actions={actions}
          openId={openId}
          chosen={chosen}
          onChoose={setChosen}
          onOpen={(row) => show(OPEN, row.id)}
          onDelete={setToDelete}
          mayWrite={mayWrite}
        />
      )}
      <MemoryDrawer
        id={openId}
        version={rows.find((row) => row.id === openId)?.version}
        onClose={() => show(OPEN, null)}
        onOpen={(id) => show(OPEN, id)}
        onDelete={setToDelete}
        actions={actions}
      />
      <AddMemory
        opened={search.get(DIALOG) === "add"}
        onClose={() => show(DIALOG, null)}
        onSaved={memories.reload}
      />
      <DeleteMemory
        row={toDelete}
        onClose={() => setToDelete(null)}
        onConfirm={(row) => {
          setToDelete(null);
          show(OPEN, null);
          void actions.remove(row);
        }}
      />
      <BulkDialog
        action={bulkAction}
        selection={toSelection(chosen, filter)}
        onClose={() => setBulkAction(null)}
        onDone={() => {
          setChosen(NONE_CHOSEN);
          memories.reload();
        }}
      />
      <ImportMemories opened={isImporting} onClose={importing.close} onDone={memories.reload} />
      <CompactMemories opened={isCompacting} onClose={compacting.close} onDone={memories.reload} />
    </Page>
  );
}
