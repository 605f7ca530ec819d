import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import classes from './DataTable.module.css';
import type { Sorting } from './sortedRows.ts';

type ColumnHeaderProps = {
  column: { header: string; sortBy?: unknown; figures?: boolean; actions?: boolean; givesWay?: boolean };
  sorting: Sorting | null;
  onSort: (header: string) => void;
};

/** The header of a column. It is a button if the reader can sort by the column. */
export function ColumnHeader({ column: { header, sortBy, figures, actions, givesWay }, sorting, onSort }: ColumnHeaderProps) {
  const shared = {
    role: 'columnheader',
    scope: 'col',
    'data-figures': figures || undefined,
    'data-gives-way': givesWay || undefined,
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
