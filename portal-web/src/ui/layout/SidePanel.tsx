import { ActionIcon, CloseButton, FocusTrap, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, type ReactNode } from 'react';
import { useShortcuts } from '../keys/useShortcuts.ts';
import classes from './SidePanel.module.css';

type SidePanelProps = {
  title: string;
  /** What it is about, as in "request", for the names of its buttons. */
  about: string;
  onClose: () => void;
  /** Null at the ends of the list. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  children: ReactNode;
};

/**
 * What one row of a list is, beside the list. Its row’s address opens it, so it can be sent and Back closes it. It does not take the focus,
 * which stays on the row, unless there is no room beside the list and it covers the page. Escape closes it, and j and k lead to the next one and the
 * previous one.
 */
export function SidePanel({ title, about, onClose, onPrevious, onNext, children }: SidePanelProps) {
  const covers = useMediaQuery('(max-width: 56.1875em)', false, { getInitialValueInEffect: false });
  const id = useId();
  const closeByKey = useEffectEvent((event: KeyboardEvent) => {
    const elsewhere = document.querySelector('[role="dialog"]:not([data-side-panel]), :popover-open') !== null;
    if (event.key === 'Escape' && !event.defaultPrevented && !elsewhere) onClose();
  });
  useEffect(() => {
    document.addEventListener('keydown', closeByKey);
    return () => document.removeEventListener('keydown', closeByKey);
  }, []);
  useShortcuts({
    ...(onNext && { j: { label: `Next ${about}`, run: onNext } }),
    ...(onPrevious && { k: { label: `Previous ${about}`, run: onPrevious } }),
  });
  return (
    <FocusTrap active={covers}>
      <aside
        className={classes.panel}
        aria-labelledby={id}
        data-side-panel
        tabIndex={-1}
        {...(covers && { role: 'dialog', 'aria-modal': true })}
      >
        <div className={classes.head}>
          <Title order={2} id={id} className={classes.title}>
            {title}
          </Title>
          <div className={classes.ways}>
            <Way label={`Previous ${about}`} onClick={onPrevious}>
              <IconChevronUp size={18} aria-hidden />
            </Way>
            <Way label={`Next ${about}`} onClick={onNext}>
              <IconChevronDown size={18} aria-hidden />
            </Way>
            <CloseButton aria-label={`Close the ${about}`} onClick={onClose} />
          </div>
        </div>
        {children}
      </aside>
    </FocusTrap>
  );
}

function Way({ label, onClick, children }: { label: string; onClick: (() => void) | null; children: ReactNode }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} disabled={onClick === null} onClick={() => onClick?.()}>
      {children}
    </ActionIcon>
  );
}

/** A list, and beside it the panel that is open, if one is. */
export function BesidePanel({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.beside}>
      <div className={classes.list}>{children}</div>
      {panel}
    </div>
  );
}
