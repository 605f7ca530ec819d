import { useState } from 'react';

export type Sorting = { readonly header: string; readonly direction: 'ascending' | 'descending' };

type SortedColumn<Row> = { readonly header: string; readonly sortBy?: (row: Row) => string | number };

/** Rows in the order that the reader has chosen by a column's header, which turns round when it is chosen again; at first, as they come. */
export function useSorting<Row>(columns: readonly SortedColumn<Row>[], rows: readonly Row[]) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sortBy = (header: string) => setSorting((last) => ({ header, direction: directionAfter(last, header) }));
  return { sorted: sortedRows(columns, rows, sorting), sorting, sortBy };
}

/** The rows in an order; those that are equal in it keep their places. */
export function sortedRows<Row>(columns: readonly SortedColumn<Row>[], rows: readonly Row[], sorting: Sorting | null): readonly Row[] {
  const keyOf = columns.find(({ header }) => header === sorting?.header)?.sortBy;
  if (!keyOf || !sorting) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compared(keyOf(one), keyOf(other)));
}

function directionAfter(last: Sorting | null, header: string): Sorting['direction'] {
  return last?.header === header && last.direction === 'ascending' ? 'descending' : 'ascending';
}

function compared(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), 'en');
}
