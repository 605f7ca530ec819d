import { absoluteWords, elapsedWords } from './timeWords.ts';
import { useNow } from './useNow.ts';

/** How long something has lasted, with its exact beginning in UTC as a tooltip. `since` is in RFC 3339 format. */
export function ElapsedTime({ since }: { since: string }) {
  const now = useNow();
  const at = new Date(since);
  return (
    <time dateTime={since} title={absoluteWords(at)}>
      {elapsedWords(at, now)}
    </time>
  );
}
