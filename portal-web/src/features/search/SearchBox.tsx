import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../ui/keys/useShortcuts.ts';
import { isSearchKey } from './isSearchKey.ts';
import classes from './SearchBox.module.css';

// The page stays as it is where the script cannot be loaded, with all that its reader has typed.
const Palette = lazy(() =>
  import('./Palette.tsx').then(
    (module) => ({ default: module.Palette }),
    () => ({ default: Unloaded }),
  ),
);

/** An identifier of ours, whole or from eight characters on. The service reads more; this decides only what a paste anywhere on a page means. */
const identifier = /(?<![a-z0-9_])[a-z]{3,4}_[0-9a-z]{8,26}(?![a-z0-9_])/i;

const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

type SearchBoxProps = {
  label: string;
  /** Whether keys and pasting open it, too. Of several boxes on a page, one listens. */
  listens: boolean;
  /** How the box looks, if not as in the header. */
  className?: string | undefined;
};

/** Numbered, because a browser reports the end of a dialog late: it may be opened again before that, and what is reported then is the end of the last one. */
type Opening = { text: string; number: number };
const opened =
  (text: string) =>
  (last: Opening | null): Opening => ({ text, number: (last?.number ?? 0) + 1 });

/**
 * The box that opens the search: by a click, by ⌘K, by `/`, or by pasting an identifier anywhere on the page but into a field. What it opens is
 * loaded when it is first used.
 */
export function SearchBox({ label, listens, className }: SearchBoxProps) {
  const [opening, setOpening] = useState<Opening | null>(null);
  useShortcuts(listens ? { '/': { label: 'Search', run: () => setOpening(opened('')) } } : {});
  useEffect(() => {
    if (!listens) return;
    const press = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      // Held down, the keys that have closed the search must not open it again.
      if (!event.repeat && !behindDialog()) setOpening(opened(''));
    };
    const paste = (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.getData('text/plain').trim() ?? '';
      if (pasted.length > 254 || !identifier.test(pasted) || isField(event.target) || behindDialog()) return;
      event.preventDefault();
      setOpening(opened(pasted));
    };
    window.addEventListener('keydown', press);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('paste', paste);
    };
  }, [listens]);
  return (
    <>
      <UnstyledButton
        className={className ?? classes.box}
        aria-keyshortcuts="Meta+K Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpening(opened(''))}
      >
        <IconSearch size={16} aria-hidden />
        <span className={className ? undefined : classes.words}>{label}</span>
        <kbd className={classes.key} aria-hidden>
          {command}
        </kbd>
      </UnstyledButton>
      {opening && (
        <Suspense>
          <Palette
            key={opening.number}
            text={opening.text}
            label={label}
            onClose={() => setOpening((last) => (last === opening ? null : last))}
          />
        </Suspense>
      )}
    </>
  );
}

/** Shown for as long as the search itself cannot be: React asks for its script once. */
function Unloaded({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-label="Search" className={classes.unloaded} onClose={onClose}>
      <Group gap="md">
        <Text size="sm">The search could not be loaded. Reload the page to try again.</Text>
        <Button size="xs" variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </dialog>
  );
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
const behindDialog = () => document.querySelector('[role="dialog"], dialog[open]') !== null;
