import { NativeSelect, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './DataTable.module.css';
import { type SortedColumn, sortedRows, type Sorting } from './sortedRows.ts';

/** The rows in the order that the reader has chosen. Choosing a column again reverses the order; at first, rows stay as they are. */
export function useSorting<Row>(columns: readonly SortedColumn<Row>[], rows: readonly Row[]) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sortBy = (header: string) => setSorting((last) => ({ header, direction: directionAfter(last, header) }));
  return { sorted: sortedRows(columns, rows, sorting), sorting, setSorting, sortBy };
}

function directionAfter(last: Sorting | null, header: string): Sorting['direction'] {
  return last?.header === header && last.direction === 'ascending' ? 'descending' : 'ascending';
}

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

type ColumnHeaderProps = {
  column: { header: string; sortBy?: unknown; figures?: boolean; actions?: boolean; givesWay?: boolean; wide?: boolean };
  sorting: Sorting | null;
  onSort: (header: string) => void;
};

/** The header of a column. It is a button if the reader can sort by the column. */
export function ColumnHeader({ column: { header, sortBy, figures, actions, givesWay, wide }, sorting, onSort }: ColumnHeaderProps) {
  const shared = {
    role: 'columnheader',
    scope: 'col',
    'data-figures': figures || undefined,
    'data-gives-way': givesWay || undefined,
    'data-wide': wide || undefined,
  } as const;
  if (actions) {
    return (
      <th {...shared}>
        <VisuallyHidden>{header}</VisuallyHidden>
      </th>
    );
  }
  if (!sortBy) return <th {...shared}>{header}</th>;
  const direction = sorting?.header === header ? sorting.direction : 'none';
  const Icon = icons[direction];
  return (
    <th {...shared} aria-sort={direction}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(header)}>
        {header}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
      <span className={classes.plain}>{header}</span>
    </th>
  );
}

const icons = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown } as const;
