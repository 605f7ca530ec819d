import { bodyOf } from '../client/answers.ts';
import type { Answer } from '../client/calls.ts';
import type { Snapshot, SyncPage } from '../contract/contract.ts';
import { sentText } from '../sync/FeedStore.ts';

const beginning = '{"upserts":[';
const end = '],"tombstones":[';
/** Between two snapshots. A quote inside a text has a backslash before it, so that this stands in none. */
const boundary = '},{"id":"';
/** What a copy needs to know, and the plain members between. */
const head = /^\{"id":"([^"\\]+)","type":"(\w+)","revision":(\d+)(?:,"\w+":(?:"[^"\\]*"|[\w.-]+))*,"connection_id":"([^"\\]+)"/;

/**
 * A page whose snapshots are stored as the text that was sent: a copy reads nothing inside them, and to parse and write each takes a quarter of
 * its time. They are looked for when they are to be stored, and the next page is asked for by then. A page that is not written as the service
 * writes it is parsed whole.
 */
export function sentPage(answer: Answer): SyncPage {
  const text = answer.body.toString();
  // Nothing that long stands behind it.
  const endsAt = text.lastIndexOf(end);
  if (!text.startsWith(`${beginning}{"id":"`) || endsAt < 0) return bodyOf(answer) as SyncPage;
  const rest = bodyOf({ ...answer, body: Buffer.from(beginning + text.slice(endsAt)) }) as SyncPage;
  return {
    ...rest,
    get upserts() {
      return snapshotsIn(text, endsAt) ?? (bodyOf(answer) as SyncPage).upserts;
    },
  };
}

type SentSnapshot = Snapshot & { readonly [sentText]?: string };

function snapshotsIn(text: string, endsAt: number): Snapshot[] | null {
  const snapshots: Snapshot[] = [];
  for (let from = beginning.length; from < endsAt;) {
    const next = text.indexOf(boundary, from);
    const to = next < 0 || next > endsAt ? endsAt : next + 1;
    const sent = text.slice(from, to);
    const [, id, type, revision, connectionId] = head.exec(sent) ?? [];
    if (id === undefined) return null;
    snapshots.push({ id, type, revision: Number(revision), connection_id: connectionId, [sentText]: sent } as SentSnapshot);
    from = to + 1;
  }
  return snapshots;
}
