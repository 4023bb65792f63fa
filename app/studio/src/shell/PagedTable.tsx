import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PagedList } from "./PagedList";
import classes from "./table.module.css";
import type { Pages } from "./usePages";

interface PagedTableProps<Row> {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
  readonly columns: readonly Column[];
  readonly children: (row: Row) => ReactNode;
}

interface Column {
  readonly name: string;
  readonly className?: string | undefined;
}

/** A paged list as a table: named columns, and one without a name for what can be done with a row. */
export function PagedTable<Row>({ pages, empty, columns, children }: PagedTableProps<Row>) {
  const { t } = useTranslation();
  return (
    <PagedList pages={pages} empty={empty}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ name, className }) => (
              <th key={name} className={className}>
                {name}
              </th>
            ))}
            <th aria-label={t("memories.actions")} />
          </tr>
        </thead>
        <tbody>{pages.rows.map(children)}</tbody>
      </table>
    </PagedList>
  );
}
