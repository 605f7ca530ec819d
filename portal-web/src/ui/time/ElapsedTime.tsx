import { titleWords } from './momentWords.ts';
import { elapsedWords } from './timeWords.ts';
import { useNow } from './useNow.ts';
import { useZone } from './useZone.ts';

/** How long something has lasted, with its exact beginning as a tooltip. `since` is in RFC 3339 format. */
export function ElapsedTime({ since }: { since: string }) {
  const now = useNow();
  const [zone] = useZone();
  const at = new Date(since);
  return (
    <time dateTime={since} title={titleWords(at, zone)}>
      {elapsedWords(at, now)}
    </time>
  );
}
