import { momentWords, titleWords } from './momentWords.ts';
import { relativeWords } from './timeWords.ts';
import { useNow } from './useNow.ts';
import { useZone } from './useZone.ts';

type TimeProps = {
  /** In RFC 3339 format. */
  value: string;
  /** In words (“3 minutes ago”), to the second, to the millisecond for logs, the hour of a chart, or the day alone. */
  form?: 'relative' | 'moment' | 'exact' | 'hour' | 'date';
};

/** A moment. Its tooltip has it in the reader’s zone, in UTC and in words, whichever form is shown. */
export function Time({ value, form = 'relative' }: TimeProps) {
  const now = useNow();
  const [zone] = useZone();
  const at = new Date(value);
  const { moment, exact, hour, day } = momentWords(zone);
  const relative = relativeWords(at, now);
  // A log has many times: each makes only the words that it shows.
  const words = {
    relative: () => relative,
    moment: () => moment(at),
    exact: () => exact(at, now),
    hour: () => hour(at),
    date: () => day(at),
  };
  return (
    <time
      dateTime={value}
      title={`${titleWords(at, zone)}${form === 'relative' ? '' : ` · ${relative}`}`}
      style={form === 'exact' ? { whiteSpace: 'nowrap' } : undefined}
    >
      {words[form]()}
    </time>
  );
}
