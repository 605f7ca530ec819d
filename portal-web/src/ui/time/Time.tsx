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
  // A log has many times: each kind of words is made once.
  const exact = zone === 'local' || form === 'exact' ? exactWords(at, now, zone) : '';
  const relative = relativeWords(at, now);
  const words = form === 'relative' ? relative : form === 'exact' ? exact : dateWords(at);
  const local = zone === 'local' ? `${exact} ${zoneName(zone)} · ` : '';
  const title = `${local}${absoluteWords(at)}${form === 'relative' ? '' : ` · ${relative}`}`;
  return (
    <time dateTime={value} title={title} style={form === 'exact' ? { whiteSpace: 'nowrap' } : undefined}>
      {words}
    </time>
  );
}
