import { Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { describeError } from '../../graphql/describeError.ts';
import { useSession } from '../session/SessionContext.ts';
import classes from './Palette.module.css';
import { isSearchKey } from './isSearchKey.ts';
import { noteRecent, offeredActs } from './paletteActs.ts';
import { groupsFor, nearLabel, type PaletteOption } from './paletteGroups.ts';
import { PaletteOptions } from './PaletteOptions.tsx';
import { useDocumentation } from './useDocumentation.ts';
import { useFind } from './useFind.ts';
import { useOwnActs } from './useOwnActs.ts';

type PaletteProps = { text: string; label: string; onClose: () => void };

/**
 * One field that finds what the reader can do here, the documentation, and everything of the reader's own by what is typed or pasted. Enter
 * opens the first hit, also if it is pressed before everything has been looked up.
 */
export function Palette({ text: pasted, label, onClose }: PaletteProps) {
  const [text, setText] = useState(pasted);
  const [at, setAt] = useState(0);
  const [said, setSaid] = useState<string | null>(null);
  const waiting = useRef<'for a hit' | 'for anything' | null>(pasted === '' ? null : 'for a hit');
  const { viewer } = useSession();
  const isSignedIn = viewer?.kind === 'full';
  const asked = text.trim();
  const { found, unfound, asking, error } = useFind(asked, isSignedIn);
  const { pages, near, loading, failed } = useDocumentation(asked);
  const acts = [...offeredActs(), ...useOwnActs()];
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const groups = groupsFor({ text: asked, found, pages, near, acts, pathname, roles: isSignedIn ? viewer.roles : null });
  const options = groups.flatMap((group) => group.options);
  const active = Math.min(at, options.length - 1);
  const nothing = asked.length > 1 && !asking && !loading && (options.length === 0 || groups[0]?.label === nearLabel);

  async function open(option: PaletteOption) {
    if (option.to === undefined) {
      const words = await option.run();
      if (words === undefined) onClose();
      else setSaid(words);
      return;
    }
    onClose();
    if (option.found) noteRecent(option.label, option.to);
    await navigate(option.to);
  }

  // A reader who pastes and presses Enter does not wait for the answer first.
  const first = options[0];
  const answered = asked !== '' && !asking && (!loading || first?.found !== undefined);
  useEffect(() => {
    if (!answered) return;
    const opens = first && waiting.current !== null && (first.found || waiting.current === 'for anything');
    waiting.current = null;
    if (opens) void open(first);
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
    else if (asking || loading) waiting.current = 'for anything';
    else if (options[active]) void open(options[active]);
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      aria-label="Search"
      className={classes.dialog}
      onClose={onClose}
      onPointerDown={closeBeside}
      onKeyDown={closeAgain}
    >
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          // The dialog has been opened to write into this field.
          autoFocus
          className={classes.input}
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${list}-${active}` : undefined}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
            setSaid(null);
            waiting.current = null;
          }}
          onKeyDown={press}
        />
      </div>
      <div role="status" className={said !== null || nothing ? classes.none : classes.status}>
        {said !== null ? (
          <Text size="sm">{said}</Text>
        ) : nothing ? (
          <>
            <Text fw={650} size="sm">
              {unfound?.title ?? `No matches for “${asked}”`}
            </Text>
            {unfound && (
              <Text size="sm" c="dimmed">
                {unfound.text}
              </Text>
            )}
          </>
        ) : (
          !asking && !loading && asked !== '' && `${options.length} found`
        )}
      </div>
      {error && (
        <Text role="alert" size="sm" c="error" className={classes.none}>
          {describeError(error).message}
        </Text>
      )}
      {failed && (
        <Text role="alert" size="sm" c="error" className={classes.none}>
          The search over the documentation could not be loaded. Reload the page.
        </Text>
      )}
      <PaletteOptions id={list} groups={groups} active={active} onChoose={(option) => void open(option)} onPoint={setAt} />
      <Text size="xs" c="dimmed" className={classes.keys}>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
      </Text>
    </dialog>
  );
}

/** The keys that open the search close it, too. They stop here: the page would open it again, as it should once the dialog is closed. */
function closeAgain(event: KeyboardEvent<HTMLDialogElement>) {
  if (!event.currentTarget.open || !isSearchKey(event) || event.repeat) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.close();
}

/** The browser's own dialog covers nothing but itself, so a press on the dialog as such is one on what is behind it. */
function closeBeside({ target, currentTarget, clientX, clientY }: PointerEvent<HTMLDialogElement>) {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  if (target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)) currentTarget.close();
}
