import { isDeepStrictEqual } from 'node:util';
import { BufferPool } from '../../../rest-api/answer/bufferPool.ts';
import type { DatabaseClients } from '../../../rest-api/database/databaseClients.ts';
import { Problem } from '../../../rest-api/answer/problemDetails.ts';
import type { Call, Services } from '../../../rest-api/Operation.ts';
import { getSync } from '../../../rest-api/v1/getSync.ts';
import type { CursorCodecs } from '../../../server/domain/feed/cursor.ts';

export type FeedRecord = { id: string; revision: number; connection_id: string } & Record<string, unknown>;
export type FeedTombstone = {
  revocation_id: string;
  subject: { type: string; id: string };
  connection_id: string;
  resource?: { id: string };
};
/** An operator's copy of one client's feed: records and tombstones, by the ID that they concern. */
export type FeedState = { records: Map<string, FeedRecord>; tombstones: Map<string, FeedTombstone> };
type Page = { upserts: FeedRecord[]; tombstones: FeedTombstone[]; next_cursor: string; has_more: boolean };

/**
 * What a reader has committed of one feed: its copy, where to continue, the validator of that position, and the IDs of a recovery under
 * way.
 */
type Copy = FeedState & { cursor?: string; etag?: string; recovered: Set<string> | null };

export type ReaderKind = 'plain' | 'crashing' | 'trusting 304';

/**
 * An operator's back end that follows docs/specification.md, “Sync”, with the real `getSync`: it commits a whole page and its cursor at
 * once, and recovers after `invalid_cursor`. A reader that crashes loses every third page between reading and committing it; one that
 * trusts 304 sends the validator of its last answer. Anything that must never happen is noted in `violations`.
 */
export class FeedReader {
  readonly violations: string[] = [];
  readonly counts = { pages: 0, notModified: 0, crashes: 0, recoveries: 0, records: 0, tombstones: 0 };
  readonly #copies = new Map<number, Copy>();
  /** The latest record of each ID that was ever read, whether committed or lost. */
  readonly #seen = new Map<string, FeedRecord>();
  readonly #services: Services;
  readonly #clients: DatabaseClients;
  readonly #kind: ReaderKind;
  readonly #limit: number;

  constructor(clients: DatabaseClients, cursors: CursorCodecs, { kind, limit }: { kind: ReaderKind; limit: number }) {
    this.#clients = clients;
    this.#kind = kind;
    this.#limit = limit;
    this.#services = { read: clients.read, readRows: clients.readRows, cursors, pool: new BufferPool() } as Partial<Services> as Services;
  }

  copyOf(clientNumber: number): Copy {
    const copy = this.#copies.get(clientNumber) ?? { records: new Map(), tombstones: new Map(), recovered: new Set() };
    this.#copies.set(clientNumber, copy);
    return copy;
  }

  /** Sends one request; returns true if it brought everything there was. */
  async sync(clientNumber: number): Promise<boolean> {
    const copy = this.copyOf(clientNumber);
    // What admission does beforehand, in a statement and a snapshot of its own.
    const [feed] = await this.#clients.read<{ head: string; epoch: number }>(
      'select head, epoch from client_feed where client_number = $1',
      [clientNumber],
    );
    const call = {
      client: { number: clientNumber, head: Number(feed?.head), epoch: feed?.epoch },
      query: { limit: String(this.#limit), ...(copy.cursor !== undefined && { updated_since: copy.cursor }) },
      unchanged: (etag: string) => this.#kind === 'trusting 304' && etag === copy.etag,
    } as unknown as Call;
    try {
      const answer = await getSync(call, this.#services);
      if ('notModified' in answer) {
        this.counts.notModified += 1;
        return true;
      }
      if (!('etag' in answer) || answer.etag === undefined || typeof answer.body === 'string')
        throw new Error('A page is a buffer with a validator.');
      const page = parsed(answer.body.bytes);
      this.#services.pool.giveBack(answer.body.pooled);
      return this.#receive(clientNumber, copy, page, answer.etag);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_cursor') throw error;
      this.counts.recoveries += 1;
      this.#copies.set(clientNumber, { records: copy.records, tombstones: copy.tombstones, recovered: new Set() });
      return false;
    }
  }

  #receive(clientNumber: number, copy: Copy, page: Page, etag: string): boolean {
    this.counts.pages += 1;
    this.#judge(page);
    if (this.#kind === 'crashing' && Math.random() < 0.3) {
      this.counts.crashes += 1;
      return false;
    }
    const records = new Map(copy.records);
    const tombstones = new Map(copy.tombstones);
    const recovered = copy.recovered && new Set(copy.recovered);
    for (const record of page.upserts) {
      if ((records.get(record.id)?.revision ?? 0) < record.revision) records.set(record.id, record);
      recovered?.add(record.id);
    }
    for (const tombstone of page.tombstones) {
      const id = tombstone.resource?.id ?? tombstone.connection_id;
      records.delete(id);
      tombstones.set(id, tombstone);
      recovered?.add(id);
    }
    if (recovered && !page.has_more) {
      for (const known of [records, tombstones]) for (const id of known.keys()) if (!recovered.has(id)) known.delete(id);
    }
    for (const { resource, connection_id: connectionId } of page.tombstones) {
      if (resource || recovered) continue;
      const left = [...records.values()].find((record) => record.connection_id === connectionId);
      if (left) this.violations.push(`${connectionId} was ended before ${left.id}`);
    }
    // A validator belongs to the request that it answered: the next one has another cursor, unless nothing was new.
    const same = page.next_cursor === copy.cursor;
    this.#copies.set(clientNumber, {
      records,
      tombstones,
      cursor: page.next_cursor,
      ...(same && { etag }),
      recovered: page.has_more ? recovered : null,
    });
    this.counts.records += page.upserts.length;
    this.counts.tombstones += page.tombstones.length;
    return !page.has_more;
  }

  /** Checks that revisions never fall, and that a revision always has the same content. */
  #judge({ upserts }: Page): void {
    for (const record of upserts) {
      const before = this.#seen.get(record.id);
      if (before && before.revision > record.revision)
        this.violations.push(`${record.id} fell from ${before.revision} to ${record.revision}`);
      if (before?.revision === record.revision && !isDeepStrictEqual(before, record))
        this.violations.push(`${record.id} differs at ${record.revision}`);
      this.#seen.set(record.id, record);
    }
  }
}

function parsed(bytes: Buffer): Page {
  try {
    return JSON.parse(bytes.toString()) as Page;
  } catch (error) {
    throw new Error(`This page is no JSON: ${bytes.toString()}`, { cause: error });
  }
}
