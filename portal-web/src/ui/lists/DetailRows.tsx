import { ActionIcon } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type MouseEvent, type ReactNode } from 'react';
import classes from './DataTable.module.css';

type DetailRowsProps = { cells: ReactNode; label: string; columns: number; open?: boolean; children: ReactNode };

/** A row with the most important facts, and below it a second row with all of them, which opens and closes. */
export function DetailRows({ cells, label, columns, open: openAtFirst = false, children }: DetailRowsProps) {
  const [open, setOpen] = useState(openAtFirst);
  const id = useId();

  // The mouse can click anywhere on the line; the keyboard uses the button at its end.
  function toggleByLine({ target }: MouseEvent) {
    const selecting = window.getSelection()?.type === 'Range';
    if (!selecting && target instanceof Element && !target.closest('a, button')) setOpen(!open);
  }

  return (
    <tbody role="rowgroup">
      <tr role="row" className={classes.line} onClick={toggleByLine}>
        {cells}
        <td role="cell" data-actions className={classes.toggle}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={label}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </td>
      </tr>
      <tr role="row" id={id} hidden={!open} className={classes.detail}>
        <td role="cell" colSpan={columns}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}
