import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PagedList } from "./PagedList";
import classes from "./table.module.css";
import type { Pages } from "./usePages";

interface Column<Row> {
  readonly name: string;
  readonly kind?: "number" | "quiet"; // aligned to the right, or small and soft
  readonly isWide?: boolean; // hidden on narrow screens
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly actions?: (row: Row) => ReactNode; // content of a last column without a visible heading
}

/** Rows under named columns. */
export function Table<Row extends { readonly id: string }>({ columns, rows, actions }: TableProps<Row>) {
  const { t } = useTranslation();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} className={classOf(column)}>
              {column.name}
            </th>
          ))}
          {actions && <th aria-label={t("memories.actions")} />}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map((column) => (
              <td key={column.name} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
            {actions && <td className={classes.actions}>{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ kind, isWide }: Pick<Column<never>, "kind" | "isWide">): string {
  return [kind && classes[kind], isWide && classes.wide].filter(Boolean).join(" ");
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
}

/** A paged list as a table. */
export function PagedTable<Row extends { readonly id: string }>({
  pages,
  empty,
  ...table
}: PagedTableProps<Row>) {
  return (
    <PagedList pages={pages} empty={empty}>
      <Table rows={pages.rows} {...table} />
    </PagedList>
  );
}
