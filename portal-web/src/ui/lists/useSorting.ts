import { useState } from 'react';
import { sortedRows, type SortedColumn, type Sorting } from './sortedRows.ts';

/** The rows in the order that the reader has chosen. Choosing a column again reverses the order; at first, rows stay as they are. */
export function useSorting<Row>(columns: readonly SortedColumn<Row>[], rows: readonly Row[]) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sortBy = (header: string) => setSorting((last) => ({ header, direction: directionAfter(last, header) }));
  return { sorted: sortedRows(columns, rows, sorting), sorting, setSorting, sortBy };
}

function directionAfter(last: Sorting | null, header: string): Sorting['direction'] {
  return last?.header === header && last.direction === 'ascending' ? 'descending' : 'ascending';
}
