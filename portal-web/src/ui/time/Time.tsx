import { exactWords, zoneName } from './exactWords.ts';
import { absoluteWords, dateWords, relativeWords } from './timeWords.ts';
import { useNow } from './useNow.ts';
import { useZone } from './useZone.ts';

type TimeProps = {
  /** In RFC 3339 format. */
  value: string;
  /** In words (“3 minutes ago”), to the millisecond for logs, or the day alone. */
  form?: 'relative' | 'exact' | 'date';
};

/** A moment. Its tooltip has it in the reader’s zone, in UTC and in words, whichever form is shown. */
export function Time({ value, form = 'relative' }: TimeProps) {
  const now = useNow();
  const [zone] = useZone();
  const at = new Date(value);
  const words = { relative: relativeWords(at, now), exact: exactWords(at, now, zone), date: dateWords(at) }[form];
  const local = zone === 'local' ? `${exactWords(at, now, zone)} ${zoneName(zone)} · ` : '';
  const title = `${local}${absoluteWords(at)}${form === 'relative' ? '' : ` · ${relativeWords(at, now)}`}`;
  return (
    <time dateTime={value} title={title} style={form === 'exact' ? { whiteSpace: 'nowrap' } : undefined}>
      {words}
    </time>
  );
}
