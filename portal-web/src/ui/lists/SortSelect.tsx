import { NativeSelect } from '@mantine/core';
import classes from './DataTable.module.css';
import type { SortedColumn, Sorting } from './sortedRows.ts';

type SortSelectProps<Row> = {
  /** What the table shows. */
  caption: string;
  columns: readonly SortedColumn<Row>[];
  sorting: Sorting | null;
  onChange: (sorting: Sorting | null) => void;
};

/** Sorts a table in its narrow form, whose column headers are not visible. */
export function SortSelect<Row>({ caption, columns, sorting, onChange }: SortSelectProps<Row>) {
  const choices = columns.flatMap(({ header, sortBy }) =>
    sortBy ? (['ascending', 'descending'] as const).map((direction) => ({ header, direction })) : [],
  );
  if (choices.length === 0) return null;
  const chosen = choices.findIndex(({ header, direction }) => header === sorting?.header && direction === sorting.direction);
  return (
    <NativeSelect
      className={classes.sortSelect}
      label="Sort by"
      aria-label={`Sort by: ${caption}`}
      value={String(chosen)}
      onChange={(event) => onChange(choices[Number(event.currentTarget.value)] ?? null)}
      data={[
        { value: '-1', label: 'Original order' },
        ...choices.map(({ header, direction }, index) => ({ value: String(index), label: `${header}, ${direction}` })),
      ]}
    />
  );
}
