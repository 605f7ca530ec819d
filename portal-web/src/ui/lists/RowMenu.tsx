import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconChevronDown, IconDots } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type ToggleEvent } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import classes from './RowMenu.module.css';

/** Something that can be done with a row. `disabledBecause` says why it cannot be done now; the act is then shown and does nothing. */
export type RowAction = { readonly label: string; readonly disabledBecause?: string | null; readonly tone?: 'danger' } & (
  | { readonly onSelect: () => void }
  /** A page of the portal. */
  | { readonly to: string }
  /** A file of the service. */
  | { readonly href: string; readonly download: string }
  /** A text that is copied. */
  | { readonly copy: string }
);

type RowMenuProps = {
  /** The row's name, as in "Actions for sandbox-2026-11". */
  name: string;
  actions: readonly RowAction[];
  /** What a button in a page's header says. In a row, an icon is enough. The words begin the button's name, which is "Actions for …". */
  label?: 'Actions';
};

/** The button at the end of a row or of a page's header, and the menu of what can be done. Arrow keys move in it, Esc closes it. */
export function RowMenu({ name, actions, label }: RowMenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [used, setUsed] = useState(false);
  const [open, setOpen] = useState(false);
  const [copied, setCopied] = useState(false);
  useOnMove(open, followRow);

  function toggled({ newState }: ToggleEvent) {
    if (newState !== 'open' || !menu.current || !button.current) return;
    placeBelow(menu.current, button.current.getBoundingClientRect());
    itemsOf(menu.current)[0]?.focus();
  }

  /** The menu lies over the page at a fixed place: it goes with its row, and closes when the row leaves the window. */
  function followRow() {
    const place = button.current?.getBoundingClientRect();
    if (!menu.current || !place) return;
    if (place.bottom < 0 || place.top > window.innerHeight) menu.current.hidePopover();
    else placeBelow(menu.current, place);
  }

  function select(action: RowAction) {
    if (action.disabledBecause) return;
    menu.current?.hidePopover();
    if ('onSelect' in action) action.onSelect();
    if ('copy' in action) void navigator.clipboard.writeText(action.copy).then(() => setCopied(true));
  }

  const Icon = copied ? IconCheck : label ? IconChevronDown : IconDots;
  const opener = {
    ref: button,
    'aria-label': `Actions for ${name}`,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    popoverTarget: id,
    onBlur: () => setCopied(false),
    // A page has many menus, and few are ever opened. The browser looks for the menu once this is done.
    onClick: () => flushSync(() => setUsed(true)),
  } as const;

  return (
    <>
      {label ? (
        <Button {...opener} variant="default" rightSection={<Icon size={16} aria-hidden />}>
          {label}
        </Button>
      ) : (
        <button type="button" {...opener} className={classes.opener}>
          <Icon size={16} aria-hidden />
        </button>
      )}
      {copied && <VisuallyHidden role="status">Copied</VisuallyHidden>}
      {used && (
        <div
          ref={menu}
          id={id}
          popover="auto"
          role="menu"
          tabIndex={-1}
          aria-label={`Actions for ${name}`}
          className={classes.menu}
          onKeyDown={moveByKeys}
          onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
          onToggle={toggled}
        >
          {open && actions.map((action) => <Item key={action.label} action={action} onSelect={() => select(action)} />)}
        </div>
      )}
    </>
  );
}

function Item({ action, onSelect }: { action: RowAction; onSelect: () => void }) {
  const { label, disabledBecause, tone } = action;
  const shared = { role: 'menuitem', tabIndex: -1, className: classes.item, 'data-tone': tone, onClick: onSelect };
  const words: ReactNode = (
    <>
      {label}
      {disabledBecause && <span className={classes.reason}>{disabledBecause}</span>}
    </>
  );
  if (!disabledBecause && 'to' in action) {
    return (
      <Link to={action.to} {...shared}>
        {words}
      </Link>
    );
  }
  if (!disabledBecause && 'href' in action) {
    return (
      <a href={action.href} download={action.download} {...shared}>
        {words}
      </a>
    );
  }
  return (
    <button type="button" aria-disabled={disabledBecause ? true : undefined} {...shared}>
      {words}
    </button>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

function moveByKeys(event: KeyboardEvent<HTMLDivElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[
    event.key
  ];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}

/** Below the button and flush with its end; above it where there is no room below. */
function placeBelow(menu: HTMLElement, { top, bottom, right }: DOMRect): void {
  const { offsetHeight: height, offsetWidth: width } = menu;
  const above = bottom + height > window.innerHeight && top > height;
  menu.style.top = `${above ? top - height : bottom}px`;
  menu.style.left = `${Math.max(8, right - width)}px`;
}

function useOnMove(open: boolean, moved: () => void): void {
  useEffect(() => {
    if (!open) return;
    window.addEventListener('scroll', moved, { capture: true, passive: true });
    window.addEventListener('resize', moved, { passive: true });
    return () => {
      window.removeEventListener('scroll', moved, { capture: true });
      window.removeEventListener('resize', moved);
    };
  });
}
