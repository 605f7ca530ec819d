import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

/** Rows that the reader has chosen, by their keys, and what can be done with all of them. */
export type Selection = {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** Whether a row can be chosen, by its key; without it, each can. */
  readonly selectable?: (key: string) => boolean;
  /** What can be done with them, shown while any are chosen. */
  readonly bar: ReactNode;
};

type SelectRowProps = Omit<Selection, 'bar'> & { rowKey: string; name: string };

/** The cell with the checkbox that chooses a row. */
export function SelectRow({ selected, onChange, selectable, rowKey, name }: SelectRowProps) {
  function change(chosen: boolean) {
    const next = new Set(selected);
    if (chosen) next.add(rowKey);
    else next.delete(rowKey);
    onChange(next);
  }
  return (
    <td role="cell" data-actions className={classes.select}>
      {(selectable?.(rowKey) ?? true) && (
        <Checkbox
          size="xs"
          aria-label={`Choose ${name}`}
          checked={selected.has(rowKey)}
          onChange={({ currentTarget: { checked } }) => change(checked)}
        />
      )}
    </td>
  );
}

/** The header with the checkbox that chooses every row of the page. */
export function SelectAll({ selected, onChange, selectable, rowKeys: all }: Omit<Selection, 'bar'> & { rowKeys: readonly string[] }) {
  const rowKeys = selectable ? all.filter(selectable) : all;
  const chosen = rowKeys.filter((key) => selected.has(key)).length;
  return (
    <th role="columnheader" scope="col" className={classes.select}>
      <Checkbox
        size="xs"
        aria-label="Select all on this page"
        checked={chosen > 0 && chosen === rowKeys.length}
        indeterminate={chosen > 0 && chosen < rowKeys.length}
        onChange={({ currentTarget: { checked } }) => onChange(new Set(checked ? rowKeys : []))}
      />
    </th>
  );
}
