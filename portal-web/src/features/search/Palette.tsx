import { Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type CombinedError, useQuery } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useSession } from '../session/SessionContext.ts';
import { searchQuery, type SearchHit } from './searchQuery.ts';
import { hitKindWords, hitPath, hitStatus } from './searchHits.ts';
import classes from './Palette.module.css';
import { noteRecent, offeredActs, recentlyOpened } from './paletteActs.ts';
import { destinationsFrom } from './destinations.ts';

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

  // People who paste and press Enter do not wait for the answer first.
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
      <div role="status" className={unfound && !asking ? classes.none : classes.status}>
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
        <Text role="alert" size="sm" c="error" className={classes.none}>
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

const pause = 150;
const least = 2;

type Finding = {
  readonly found: readonly SearchHit[];
  readonly unfound: { readonly title: string; readonly text: string } | null;
  /** Whether the answer to this text is still to come. */
  readonly asking: boolean;
  readonly error: CombinedError | undefined;
};

/** What the text names. The service is asked a moment after the last key, and of what is pasted as a whole at once. */
function useFind(text: string): Finding {
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const whole = /^[a-z]{3,4}_[0-9a-z]{26}$/i.test(text);
    const timer = setTimeout(() => setAsked(text), whole ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text]);
  const short = asked.length < least;
  const [{ data, fetching, error, operation }] = useQuery({
    query: searchQuery,
    variables: { text: asked },
    pause: short,
    requestPolicy: 'network-only',
  });
  const current = !short && !fetching && operation?.variables.text === asked;
  const result = current ? data?.find : undefined;
  return {
    // What fitted the text before stays in view until the next answer, which is a moment away.
    found: text.length >= least ? (data?.find.found ?? []) : [],
    unfound: result?.unfound ?? null,
    asking: text.length >= least && (asked !== text || !current),
    error: current ? error : undefined,
  };
}

type OptionsProps = {
  id: string;
  groups: readonly PaletteGroup[];
  active: number;
  onChoose: (option: PaletteOption) => void;
  onPoint: (at: number) => void;
};

/** The lines of the palette, in groups. The field above keeps the focus and has the keys; the pointer is only another way. */
function PaletteOptions({ id, groups, active, onChoose, onPoint }: OptionsProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const startOf = (group: PaletteGroup) => groups.slice(0, groups.indexOf(group)).reduce((sum, { options }) => sum + options.length, 0);
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map((group) => (
        <div key={group.label} role="group" aria-label={group.label}>
          <div className={classes.group} aria-hidden>
            {group.label}
          </div>
          {group.options.map((option, index) => {
            const at = startOf(group) + index;
            return (
              <button
                type="button"
                tabIndex={-1}
                key={option.key}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === active}
                className={classes.option}
                onMouseMove={() => onPoint(at)}
                onClick={() => onChoose(option)}
              >
                {option.found ? <HitOption found={option.found} /> : option.label}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** A hit: what it is called, its ID, whose it is, its environment and its state. */
function HitOption({ found }: { found: SearchHit }) {
  const { kind, id, name, environment, integration } = found;
  const status = hitStatus(found);
  const below = [
    name === null ? null : kind === 'integration' ? integration?.slug : id,
    kind === 'integration' ? null : integration?.publicName,
  ];
  return (
    <span className={classes.hit}>
      <span className={classes.words}>
        <span className={name === null ? classes.id : classes.name}>{name ?? id}</span>
        <span className={classes.below}>{below.filter(Boolean).join(' · ')}</span>
      </span>
      <span className={classes.marks}>
        {environment && <EnvironmentTag environment={environment} />}
        {status && <StatusBadge tone={status.tone}>{status.word}</StatusBadge>}
      </span>
    </span>
  );
}

/** A line of the palette: something found, an act of the page, or a page to go to. */
type PaletteOption = { readonly key: string; readonly label: string; readonly found?: SearchHit } & (
  | { readonly to: string }
  | { readonly to?: undefined; readonly run: () => void }
);
type PaletteGroup = { readonly label: string; readonly options: readonly PaletteOption[] };

type Asked = { readonly text: string; readonly found: readonly SearchHit[]; readonly pathname: string; readonly roles: readonly string[] };

/** What the palette lists: hits by kind, then what the page offers, where the reader was, and the pages from here, as far as the text fits them. */
function groupsFor({ text, found, pathname, roles }: Asked): PaletteGroup[] {
  const fits = ({ label }: { readonly label: string }) => label.toLowerCase().includes(text.toLowerCase());
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const groups: PaletteGroup[] = [
    ...kinds.map((kind) => ({ label: hitKindWords[kind], options: found.filter((each) => each.kind === kind).map(hitOption) })),
    {
      label: 'On this page',
      options: offeredActs()
        .filter(fits)
        .map((act) => ({ key: `act ${act.label}`, ...act })),
    },
    { label: 'Recent', options: text === '' ? recentlyOpened().map((each) => ({ key: `recent ${each.to}`, ...each })) : [] },
    {
      label: 'Go to',
      options: destinationsFrom(pathname, roles)
        .filter(fits)
        .map((destination) => ({ key: `page ${destination.to} ${destination.label}`, ...destination })),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

function hitOption(found: SearchHit): PaletteOption {
  const { kind, id, name, integration } = found;
  const label = `${hitKindWords[kind]} ${name ?? id}${integration && kind !== 'integration' ? `, ${integration.publicName}` : ''}`;
  return { key: `${kind} ${id}`, label, found, to: hitPath(found) };
}
