import { Button, Center } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Failure } from "./Failure";
import { FailureLine } from "./FailureLine";
import { Loading } from "./Loading";
import type { Pages } from "./usePages";

interface PagedListProps<Row> {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** A list on a card: it loads, it failed, there is nothing, or its rows with a way to more of them. */
export function PagedList<Row>({ pages, empty, children }: PagedListProps<Row>) {
  const { t } = useTranslation();
  const { rows, phase, reason, hasMore, loadMore, reload } = pages;
  if (phase === "loading") return <Loading height={220} />;
  return (
    <div className="card" style={{ overflow: "hidden" }}>
      {phase === "failed" && rows.length === 0 ? (
        <Failure title={t("shell.notLoaded")} reason={reason} onRetry={reload} />
      ) : rows.length === 0 ? (
        empty
      ) : (
        children
      )}
      {phase === "failed" && rows.length > 0 && <FailureLine reason={reason} onRetry={reload} />}
      {hasMore && phase !== "failed" && (
        <Center p="xs">
          <Button variant="subtle" loading={phase === "more"} onClick={loadMore}>
            {t("shell.more")}
          </Button>
        </Center>
      )}
    </div>
  );
}
