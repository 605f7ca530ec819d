import { momentWords, titleWords } from './momentWords.ts';
import { comingWords, relativeWords } from './timeWords.ts';
import { useNow } from './useNow.ts';
import { useZone } from './useZone.ts';

type TimeProps = {
  /** In RFC 3339 format. */
  value: string;
  /**
   * In words (“3 minutes ago”), of what is still to come (“in less than a minute”), to the second, to the millisecond for logs, to the minute with
   * the zone for deadlines, the hour of a chart, or the day alone.
   */
  form?: 'relative' | 'coming' | 'moment' | 'exact' | 'deadline' | 'hour' | 'date';
};

/** A moment. Its tooltip has it in the reader’s zone, in UTC and in words, whichever form is shown. */
export function Time({ value, form = 'relative' }: TimeProps) {
  const now = useNow();
  const [zone] = useZone();
  const at = new Date(value);
  const { moment, exact, deadline, hour, day } = momentWords(zone);
  const relative = relativeWords(at, now);
  // A log has many times: each makes only the words that it shows.
  const words = {
    relative: () => relative,
    coming: () => comingWords(at, now),
    moment: () => moment(at),
    exact: () => exact(at, now),
    deadline: () => deadline(at),
    hour: () => hour(at),
    date: () => day(at),
  };
  return (
    <time
      dateTime={value}
      title={`${titleWords(at, zone)}${form === 'relative' || form === 'coming' ? '' : ` · ${relative}`}`}
      style={form === 'exact' ? { whiteSpace: 'nowrap' } : undefined}
    >
      {words[form]()}
    </time>
  );
}
