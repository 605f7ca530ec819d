export type Sorting = { readonly header: string; readonly direction: 'ascending' | 'descending' };

export type SortedColumn<Row> = { readonly header: string; readonly sortBy?: (row: Row) => string | number };

/** The rows, sorted. Rows that compare as equal stay in their order. */
export function sortedRows<Row>(columns: readonly SortedColumn<Row>[], rows: readonly Row[], sorting: Sorting | null): readonly Row[] {
  const keyOf = columns.find(({ header }) => header === sorting?.header)?.sortBy;
  if (!keyOf || !sorting) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compared(keyOf(one), keyOf(other)));
}

function compared(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), 'en');
}
