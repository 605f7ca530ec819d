import { Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { describeError } from '../../graphql/describeError.ts';
import { useSession } from '../session/SessionContext.ts';
import classes from './Palette.module.css';
import { noteRecent } from './paletteActs.ts';
import { groupsFor, type PaletteOption } from './paletteGroups.ts';
import { PaletteOptions } from './PaletteOptions.tsx';
import { useFind } from './useFind.ts';

type PaletteProps = { text: string; onClose: () => void };

/**
 * One field that finds everything by what is typed or pasted, and below it what the page offers and where to go. Enter opens the first hit,
 * also if it is pressed before the service has answered.
 */
export function Palette({ text: pasted, onClose }: PaletteProps) {
  const [text, setText] = useState(pasted);
  const [at, setAt] = useState(0);
  const waiting = useRef<'for a hit' | 'for anything' | null>(pasted === '' ? null : 'for a hit');
  const { found, unfound, asking, error } = useFind(text.trim());
  const { viewer } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const groups = groupsFor({ text: text.trim(), found, pathname, roles: viewer?.roles ?? [] });
  const options = groups.flatMap((group) => group.options);
  const active = Math.min(at, options.length - 1);

  function open(option: PaletteOption) {
    onClose();
    if (option.to === undefined) option.run();
    else {
      if (option.found) noteRecent(option.label, option.to);
      void navigate(option.to);
    }
  }

  // Somebody who pastes and presses Enter does not wait for the answer first.
  const answered = text.trim() !== '' && !asking;
  const first = options[0];
  useEffect(() => {
    if (!answered) return;
    const opens = first && waiting.current !== null && (first.found || waiting.current === 'for anything');
    waiting.current = null;
    if (opens) open(first);
  });

  function press(event: KeyboardEvent) {
    const last = options.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) setAt(next);
    else if (event.key !== 'Enter') return;
    else if (asking) waiting.current = 'for anything';
    else if (options[active]) open(options[active]);
    event.preventDefault();
  }

  return (
    <dialog ref={dialog} aria-label="Search" className={classes.dialog} onClose={onClose} onPointerDown={closeBeside}>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          // The dialog has been opened to write into this field.
          autoFocus
          className={classes.input}
          role="combobox"
          aria-label="Search or paste an ID"
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${list}-${active}` : undefined}
          placeholder="Search or paste an ID"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
            waiting.current = null;
          }}
          onKeyDown={press}
        />
      </div>
      <div role="status" className={unfound && !asking ? classes.unfound : classes.status}>
        {unfound && !asking ? (
          <>
            <Text fw={600} size="sm">
              {unfound.title}
            </Text>
            <Text size="sm" c="dimmed">
              {unfound.text}
            </Text>
          </>
        ) : (
          !asking && found.length > 0 && `${found.length} found`
        )}
      </div>
      {error && (
        <Text role="alert" size="sm" c="error" className={classes.unfound}>
          {describeError(error).message}
        </Text>
      )}
      <PaletteOptions id={list} groups={groups} active={active} onChoose={open} onPoint={setAt} />
      <Text size="xs" c="dimmed" className={classes.keys}>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
      </Text>
    </dialog>
  );
}

/** The browser's own dialog covers nothing but itself, so a press on the dialog as such is one on what is behind it. */
function closeBeside({ target, currentTarget, clientX, clientY }: PointerEvent<HTMLDialogElement>) {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  if (target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)) currentTarget.close();
}
