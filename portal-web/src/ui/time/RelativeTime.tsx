import { absoluteWords, elapsedWords, relativeWords } from './timeWords.ts';
import { useNow } from './useNow.ts';

/** How long something has lasted, with its exact beginning in UTC behind it. `since` is RFC 3339. */
export function ElapsedTime({ since }: { since: string }) {
  const now = useNow();
  const at = new Date(since);
  return (
    <time dateTime={since} title={absoluteWords(at)}>
      {elapsedWords(at, now)}
    </time>
  );
}

/** A time in words, with the exact one in UTC behind it. `value` is RFC 3339. */
export function RelativeTime({ value }: { value: string }) {
  const now = useNow();
  const at = new Date(value);
  return (
    <time dateTime={value} title={absoluteWords(at)}>
      {relativeWords(at, now)}
    </time>
  );
}
