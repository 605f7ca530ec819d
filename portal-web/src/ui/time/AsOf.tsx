import { titleWords } from './momentWords.ts';
import { relativeWords } from './timeWords.ts';
import { useNow } from './useNow.ts';
import { useZone } from './useZone.ts';

/** What is older than this says so: the page was left open, or could not be read again. */
const current = 60_000;

type AsOfProps = {
  /** In RFC 3339 format. */
  at: string;
  /** The time in words, as in "09:14". */
  words: string;
};

/** When something was read, and how long ago that was, unless it is current. */
export function AsOf({ at, words }: AsOfProps) {
  const now = useNow(1000);
  const [zone] = useZone();
  const readAt = new Date(at);
  const isOld = now.getTime() - readAt.getTime() >= current;
  return (
    <time dateTime={at} title={titleWords(readAt, zone)}>
      {words}
      {isOld && `, ${relativeWords(readAt, now)}`}
    </time>
  );
}
