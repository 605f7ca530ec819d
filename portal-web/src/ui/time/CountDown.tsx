import { titleWords } from './momentWords.ts';
import { useNow } from './useNow.ts';
import { useZone } from './useZone.ts';

/**
 * The minutes and seconds that are left until a moment, with its exact time as a tooltip. Screen readers read it when they come to it,
 * and do not announce each second. `until` is in RFC 3339 format.
 */
export function CountDown({ until }: { until: string }) {
  const [zone] = useZone();
  const end = new Date(until);
  const left = Math.max(0, Math.ceil((end.getTime() - useNow(1000).getTime()) / 1000));
  const seconds = String(left % 60).padStart(2, '0');
  return (
    <time role="timer" aria-live="off" dateTime={until} title={titleWords(end, zone)} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {Math.floor(left / 60)}:{seconds}
    </time>
  );
}
