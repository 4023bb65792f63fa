import { Button, Center } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Failure, FailureLine } from "./Failure";
import { Loading } from "./Loading";
import type { Pages } from "./usePages";

interface PagedListProps<Row> {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
  readonly height?: number; // of the place that is held while it loads
  readonly more?: string; // text of the button that loads more
  readonly withCard?: boolean;
  readonly children: ReactNode;
}

/** A paged list: it loads, it failed, there is nothing, or its rows with a way to more of them. */
export function PagedList<Row>({
  pages,
  empty,
  height = 220,
  more,
  withCard = true,
  children,
}: PagedListProps<Row>) {
  const { t } = useTranslation();
  const { rows, phase, reason, hasMore, loadMore, reload } = pages;
  if (phase === "loading") return <Loading height={height} />;
  const shown = (
    <>
      {phase === "failed" && rows.length === 0 ? (
        <Failure reason={reason} onRetry={reload} />
      ) : rows.length === 0 ? (
        empty
      ) : (
        children
      )}
      {phase === "failed" && rows.length > 0 && <FailureLine reason={reason} onRetry={reload} />}
      {hasMore && phase !== "failed" && (
        <Center p="xs">
          <Button variant="subtle" loading={phase === "more"} onClick={loadMore}>
            {more ?? t("shell.more")}
          </Button>
        </Center>
      )}
    </>
  );
  if (!withCard) return shown;
  return (
    <div className="card" style={{ overflow: "hidden" }}>
      {shown}
    </div>
  );
}
