import { ActionIcon } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import {
  createContext,
  memo,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Link, NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import classes from './DataTable.module.css';
import { type RowAction, RowMenu } from './RowMenu.tsx';
import { SelectAll, type Selection, SelectRow } from './SelectCell.tsx';
import { ColumnHeader, SortSelect, useSorting } from './Sorting.tsx';

/** A column of a table in which each row shows a `Row`. */
export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** The page that the row's name links to. Only for the first column, which names the row. */
  to?: (row: Row) => string;
  /** The value that readers can sort by. Only for tables that show a whole list: sorting a single page would mislead. */
  sortBy?: (row: Row) => string | number;
  /** Whether the column has figures, which are aligned at its end. */
  figures?: boolean;
  /** Whether words may break anywhere, as identifiers and people's own texts must: one word can be wider than the column. */
  breaks?: boolean;
  /** Whether the column has buttons, which need no visible header. */
  actions?: boolean;
  /** Whether the column gives way to what is open beside the table, which has the same value, and to the others of a brief row. */
  givesWay?: boolean;
  /** Whether the column is left out of a table in as little space as a tablet's, because the others matter more. A list of its rows shows it. */
  wide?: boolean;
};

type DataTableProps<Row> = {
  /** What the table shows, for assistive technology. Sighted readers see the heading above it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The row's name in the labels of its checkbox and its menu; its key when nothing else is said. */
  rowName?: (row: Row) => string;
  /** What can be done with a row, in the menu at its end. No menu where there is nothing. */
  actions?: (row: Row) => readonly RowAction[];
  /** Lets the reader choose rows. */
  selection?: Selection | undefined;
  /** The key of the row that is open beside the table. */
  current?: string | number;
  /** Whether a row’s values stand side by side in little space, without the names of their columns: for logs, whose values say what they are. */
  brief?: boolean;
} & (
  | {
      /** The ID of a row's element, so that an address can link to it. Not for rows that open: the link would lead to a closed one. */
      rowId?: (row: Row) => string;
      detail?: never;
    }
  | {
      rowId?: never;
      /** What a row shows when it is opened. */
      detail: Detail<Row>;
    }
);

type Detail<Row> = {
  content: (row: Row) => ReactNode;
  /** The label of the button that opens the row, as in "Details of req_…". */
  label: (row: Row) => string;
  /** Whether the row is open at first. */
  open?: (row: Row) => boolean;
};

/**
 * A table of plain elements, because those of the component library resolve their styles cell by cell. If it has little space, each row
 * becomes a block with a labelled line for each column.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    rowId,
    detail,
    actions,
    selection,
    current,
    brief,
    rowName = (row) => String(rowKey(row)),
  } = props;
  const { sorted, sorting, setSorting, sortBy } = useSorting(columns, rows);
  const drawn = useDrawnRows(sorted);
  const { follow, opening } = useStayingLinks(String(current ?? ''));
  const cellsOf = (row: Row) => <Cells {...{ row, columns, selection, actions }} rowKey={String(rowKey(row))} name={rowName(row)} />;
  const width = columns.length + [selection, actions, detail].filter(Boolean).length;
  return (
    <div
      className={classes.frame}
      data-columns={columns.filter(({ wide, actions: acts }) => !wide && !acts).length > 5 ? 'many' : undefined}
      data-selects={selection ? true : undefined}
      data-beside={current ? true : undefined}
      data-brief={brief || undefined}
    >
      <SortSelect caption={caption} columns={columns} sorting={sorting} onChange={setSorting} />
      {/* The narrow form takes the cells out of the table's layout. The explicit roles keep it a table for assistive technology. */}
      <table role="table" className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection && <SelectAll {...selection} rowKeys={rows.map((row) => String(rowKey(row)))} />}
            {columns.map((column) => (
              <ColumnHeader key={column.header} column={column} sorting={sorting} onSort={sortBy} />
            ))}
            {actions && <ColumnHeader column={{ header: 'Actions', actions: true }} sorting={null} onSort={sortBy} />}
            {detail && <ColumnHeader column={{ header: 'Details', actions: true }} sorting={null} onSort={sortBy} />}
          </tr>
        </thead>
        <FollowStayingLink value={follow}>
          {detail ? (
            drawn.map((row) => (
              <DetailRows
                key={rowKey(row)}
                cells={cellsOf(row)}
                label={detail.label(row)}
                columns={width}
                {...(detail.open?.(row) && { open: true })}
              >
                {detail.content(row)}
              </DetailRows>
            ))
          ) : (
            <tbody role="rowgroup">
              {drawn.map((row) => (
                <tr
                  role="row"
                  key={rowKey(row)}
                  id={rowId?.(row)}
                  aria-current={rowKey(row) === current || undefined}
                  data-opening={String(rowKey(row)) === opening || undefined}
                >
                  {cellsOf(row)}
                </tr>
              ))}
            </tbody>
          )}
        </FollowStayingLink>
      </table>
      {selection && selection.selected.size > 0 && (
        <div className={classes.bar} role="group" aria-label="Selected rows">
          {selection.bar}
        </div>
      )}
    </div>
  );
}

/** More rows than a window of 900 pixels shows. */
const screenful = 16;

/**
 * The rows of a table that are drawn by now: a screenful with the table, so that the reader sees them sooner, and the others right after it.
 * Where the reader comes back to a page, it has to be as long as it was left, and all are drawn at once, as on the page that is loaded first.
 */
function useDrawnRows<Row>(rows: readonly Row[]): readonly Row[] {
  const comesBack = useNavigationType() === NavigationType.Pop;
  const [drawsAll, setDrawsAll] = useState(comesBack || rows.length <= screenful);
  useEffect(() => startTransition(() => setDrawsAll(true)), []);
  return drawsAll ? rows : rows.slice(0, screenful);
}

type CellsProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'selection' | 'actions'> & { row: Row; rowKey: string; name: string };

/** A page is rendered again with each answer. Rows that are as they were are not, where their columns and actions are the same objects. */
const Cells = memo(
  function Cells<Row>({ row, columns, selection, actions, rowKey, name }: CellsProps<Row>) {
    return (
      <>
        {selection && <SelectRow {...selection} rowKey={rowKey} name={name} />}
        {columns.map((column, index) => (
          <Cell key={column.header} {...{ row, rowKey, column }} names={index === 0} />
        ))}
        {actions && <MenuCell name={name} actions={actions(row)} />}
      </>
    );
  },
  ({ row: before, ...last }, { row, ...next }) => hasSameValues(last, next) && hasSameValues(before, row),
) as <Row>(props: CellsProps<Row>) => ReactNode;

/** Whether two objects have the same values. Objects in them count as other ones. */
function hasSameValues(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const values = new Map(Object.entries(other));
  const all = Object.entries(one);
  return all.length === values.size && all.every(([name, value]) => values.has(name) && Object.is(value, values.get(name)));
}

function MenuCell({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  return (
    <td role="cell" data-actions className={classes.menu}>
      {actions.length > 0 && <RowMenu name={name} actions={actions} />}
    </td>
  );
}

function Cell<Row>({ row, rowKey, column, names }: { row: Row; rowKey: string; column: Column<Row>; names: boolean }) {
  const { header, cell, to, figures, breaks, actions, givesWay, wide } = column;
  const shared = {
    'data-figures': figures || undefined,
    'data-breaks': breaks || undefined,
    'data-actions': actions || undefined,
    'data-gives-way': givesWay || undefined,
    'data-wide': wide || undefined,
  };
  if (!names) {
    return (
      <td role="cell" data-label={actions ? undefined : header} {...shared}>
        {cell(row)}
      </td>
    );
  }
  return (
    <th role="rowheader" scope="row" {...shared}>
      {to ? (
        <RowLink {...{ rowKey }} to={to(row)}>
          {cell(row)}
        </RowLink>
      ) : (
        cell(row)
      )}
    </th>
  );
}

function RowLink({ rowKey, to, children }: { rowKey: string; to: string; children: ReactNode }) {
  const follow = use(FollowStayingLink);
  return isStaying(to) ? (
    <a href={to} className={classes.link} onClick={(event) => follow(event, rowKey)}>
      {children}
    </a>
  ) : (
    <Link to={to} className={classes.link}>
      {children}
    </Link>
  );
}

/** Whether an address changes nothing but the query. Then it opens something beside the list. */
function isStaying(to: string): boolean {
  return to.startsWith('?');
}

type Follow = (event: MouseEvent<HTMLAnchorElement>, rowKey: string) => void;

/** How the links of a list are followed that open something beside it. */
const FollowStayingLink = createContext<Follow>(() => undefined);

/**
 * Follows a row's link that opens something beside a list, where `current` is open now. The page stays where it is, with all that it keeps. The list
 * gives this to its links: a link that knows where the reader is would be rendered again with every change of that, and a long list has
 * many. Also tells the key of the row that is about to open, which the list marks at once: on a slow machine, what opens comes later.
 */
function useStayingLinks(current: string): { readonly follow: Follow; readonly opening: string | null } {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [clicked, setClicked] = useState<{ readonly opening: string | null; readonly before: string }>({ opening: null, before: current });
  if (clicked.before !== current) setClicked({ opening: null, before: current });
  const latest = useRef<unknown>(state);
  useEffect(() => {
    latest.current = state;
  });
  const follow: Follow = useCallback(
    (event, rowKey) => {
      const to = event.currentTarget.getAttribute('href');
      // With one of these keys, the browser opens the address elsewhere.
      if (to === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setClicked(({ before }) => ({ opening: rowKey, before }));
      // A row that is open already is no other place to come back from.
      const replace = event.currentTarget.href === window.location.href;
      void navigate(to, { state: latest.current, preventScrollReset: true, replace });
    },
    [navigate],
  );
  return { follow, opening: clicked.opening };
}

type DetailRowsProps = { cells: ReactNode; label: string; columns: number; open?: boolean; children: ReactNode };

/** A row with the most important facts, and below it a second row with all of them, which opens and closes. */
function DetailRows({ cells, label, columns, open: openAtFirst = false, children }: DetailRowsProps) {
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
