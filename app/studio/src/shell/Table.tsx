import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PagedList } from "./PagedList";
import classes from "./table.module.css";
import type { Pages } from "./usePages";

interface TableProps<Row> {
  readonly columns: readonly Column[];
  readonly hasActions?: boolean; // a last column, without a heading to see, for what can be done with a row
  readonly rows: readonly Row[];
  readonly children: (row: Row) => ReactNode;
}

interface Column {
  readonly name: string;
  readonly className?: string | undefined;
}

/** Rows under named columns. */
export function Table<Row>({ columns, hasActions = false, rows, children }: TableProps<Row>) {
  const { t } = useTranslation();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {columns.map(({ name, className }) => (
            <th key={name} className={className}>
              {name}
            </th>
          ))}
          {hasActions && <th aria-label={t("memories.actions")} />}
        </tr>
      </thead>
      <tbody>{rows.map(children)}</tbody>
    </table>
  );
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
}

/** A paged list as a table. */
export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  return (
    <PagedList pages={pages} empty={empty}>
      <Table rows={pages.rows} {...table} />
    </PagedList>
  );
}
