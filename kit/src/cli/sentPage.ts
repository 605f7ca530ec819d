import { bodyOf } from '../client/answers.ts';
import type { Answer } from '../client/calls.ts';
import type { Snapshot, SyncPage } from '../contract/contract.ts';
import { sentText } from '../sync/FeedStore.ts';

const beginning = '{"upserts":[';
const end = '],"tombstones":[';
/** Between two snapshots. A quote inside a text has a backslash before it, so that this stands in none. */
const boundary = '},{"id":"';
/** The first member that is a list or an object. */
const firstNested = /,"\w+":[[{]/;

/**
 * A page whose snapshots are stored as the text that was sent: a copy reads nothing inside them, and to parse and write each takes a quarter of
 * its time. Of a snapshot, what stands before its first list or object is there. A page that is not written as the service writes it is parsed
 * whole.
 */
export function sentPage(answer: Answer): SyncPage {
  const text = answer.body.toString();
  const endsAt = text.indexOf(end);
  if (!text.startsWith(`${beginning}{"id":"`) || endsAt < 0) return bodyOf(answer) as SyncPage;
  const upserts: Snapshot[] = [];
  for (let from = beginning.length; from < endsAt;) {
    const next = text.indexOf(boundary, from);
    const to = next < 0 || next > endsAt ? endsAt : next + 1;
    const snapshot = outlineOf(text.slice(from, to));
    if (!snapshot) return bodyOf(answer) as SyncPage;
    upserts.push(snapshot);
    from = to + 1;
  }
  const rest = bodyOf({ ...answer, body: Buffer.from(beginning + text.slice(endsAt)) }) as SyncPage;
  return { ...rest, upserts };
}

/** What stands at the beginning of a snapshot, or null if something is missing there. */
function outlineOf(sent: string): Snapshot | null {
  try {
    const outline = JSON.parse(`${sent.slice(0, sent.search(firstNested))}}`) as Snapshot;
    const { id, type, revision, connection_id: connectionId } = outline;
    return id && type && revision && connectionId ? Object.assign(outline, { [sentText]: sent }) : null;
  } catch {
    return null;
  }
}
