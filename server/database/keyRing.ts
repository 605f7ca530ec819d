import { hkdfSync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../domain/shared/clock.ts';
import { newId } from '../domain/shared/ids.ts';
import { endingPurposes, type KeySet, type LookupKeys } from '../domain/shared/keySet.ts';
import { accountLimits } from '../domain/account/accountLimits.ts';
import { limits } from '../domain/shared/limits.ts';
import { type ConnectionName, connectionUses } from './connection/connectionUses.ts';
import { openClient } from './connection/openPool.ts';
import { unwrapKey, wrapKey, type WrappingKeys } from '../platform/keyStore.ts';
import type { DatabaseRole } from './roles/roleNames.ts';

/** What a key of the ring is for. Each purpose has keys of its own, so that a leaked key opens nothing else. */
export const keyPurposes = [...endingPurposes, 'lookup', 'cursor'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];
type EndingPurpose = (typeof endingPurposes)[number];

/** The purposes that each process has a use for. PostgreSQL shows it no other key (row security, `roles/grants.ts`). */
export const keyPurposesOf: Readonly<Record<DatabaseRole, readonly KeyPurpose[]>> = {
  portal: keyPurposes,
  machine_api: ['lookup', 'cursor'],
  workers: ['verification_link'],
};

/**
 * How long what a key made can live after another key has taken its place; null if it has no end. Recovery codes are valid until they are
 * used, users and orders are named under the first key of lookups, and a client may come back with any cursor.
 */
const lives: Readonly<Record<EndingPurpose, number> & Record<Exclude<KeyPurpose, EndingPurpose>, null>> = {
  session: accountLimits.sessionLifetime,
  verification_link: accountLimits.verificationLinkLifetime,
  lookup: null,
  cursor: null,
};

/** The unwrapped key ring, as it is at each moment: its sets change when a key is added, and when the time of one begins or ends. */
export type KeyRing = Readonly<Record<Exclude<KeyPurpose, 'lookup'>, KeySet>> & { readonly lookup: LookupKeys };

/**
 * A random key of 32 bytes. Of one purpose, the keys follow each other: each is current until it is retired, which may be in the future
 * while its successor waits for all processes to have read it. The last one is never retired.
 */
type Entry = { readonly id: string; readonly purpose: KeyPurpose; readonly key: Buffer; readonly retiredAt: number };

/** The key ring in memory, with what keeps it up to date. */
type LoadedKeyRing = {
  readonly keys: KeyRing;
  /** Reads new entries. Resolves to the reasons why some of them cannot be opened; rejects if the database cannot be asked. */
  reload(): Promise<readonly Error[]>;
};

/** The use of connections that names whose ring it is. */
export type KeyRingUse = Extract<ConnectionName, `${string}-keys`>;

type Source = {
  readonly databaseUrl: string;
  readonly masterKeys: WrappingKeys;
  readonly clock: Clock;
  /** Whose ring it is, which decides for which purposes it has keys. Asking it for another one throws. */
  readonly use?: KeyRingUse;
};

/**
 * Loads the ring, and makes any missing keys (as at the first start). Throws an Error that names purpose, key and variable if an entry was
 * wrapped under a key that this process does not have.
 */
export async function loadKeyRing({ databaseUrl, masterKeys, clock, use = 'portal-keys' }: Source): Promise<LoadedKeyRing> {
  const purposes = keyPurposesOf[connectionUses[use].role];
  let entries: readonly Entry[] = [];
  const reload = async () => {
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    const errors: Error[] = [];
    const connection = await openClient(databaseUrl, use, { connectionTimeoutMillis: 10_000 });
    const rows = await readRows(connection, masterKeys.current, clock.now(), purposes);
    entries = rows.flatMap(({ id, purpose, wrapped, retiredAt }) => {
      try {
        const key = known.get(id)?.key ?? unwrapKey(masterKeys, purpose, wrapped);
        return [{ id, purpose, key, retiredAt: retiredAt?.getTime() ?? Infinity }];
      } catch (error) {
        errors.push(error as Error);
        return [];
      }
    });
    return errors;
  };
  const [reason] = await reload();
  if (reason) throw reason;
  const set = (purpose: KeyPurpose) => keysOf(() => entries, purpose, clock);
  const keys = { session: set('session'), verification_link: set('verification_link'), lookup: set('lookup'), cursor: set('cursor') };
  return { keys, reload };
}

type Row = { readonly id: string; readonly purpose: KeyPurpose; readonly wrapped: Buffer; readonly retiredAt: Date | null };

/** Entries whose life is over are left out, so that a ring loads even if its old entries can no longer be opened. */
const readSql = `
select id, purpose, wrapped, retired_at as "retiredAt" from key_ring_entry
 where purpose = any ($3) and (retired_at is null or coalesce(($1::jsonb ->> purpose)::float8, 'infinity') > (extract(epoch from $2::timestamptz - retired_at) * 1000))
 order by retired_at nulls last`;

async function readRows(connection: pg.Client, wrappingKey: Buffer, now: Date, purposes: readonly KeyPurpose[]): Promise<readonly Row[]> {
  try {
    const periods = Object.fromEntries(keyPurposes.map((purpose) => [purpose, readableFor(purpose)]));
    const read = async () => (await connection.query<Row>(readSql, [JSON.stringify(periods), now, purposes])).rows;
    const rows = await read();
    const missing = purposes.filter((purpose) => !rows.some((row) => row.purpose === purpose));
    if (missing.length === 0) return rows;
    for (const purpose of missing) {
      await connection.query(
        'insert into key_ring_entry (id, purpose, wrapped, created_at) values ($1, $2, $3, $4) on conflict (purpose) where retired_at is null do nothing',
        [newId('key'), purpose, wrapKey(wrappingKey, purpose, randomBytes(32)), now],
      );
    }
    return await read();
  } finally {
    await connection.end();
  }
}

/** How long after its retirement an entry is read. A process that learned of it late may have used it somewhat longer than others. */
function readableFor(purpose: KeyPurpose): number | null {
  const life = lives[purpose];
  return life === null ? null : life + limits.keyRingGrace;
}

function keysOf(entries: () => readonly Entry[], purpose: KeyPurpose, clock: Clock): LookupKeys {
  const life = readableFor(purpose) ?? Infinity;
  /** Those that may be read, in the order in which they follow each other, and the place of the one that is current. */
  const now = () => {
    const moment = clock.now().getTime();
    const readable = entries().filter((entry) => entry.purpose === purpose && entry.retiredAt + life > moment);
    const place = readable.findIndex(({ retiredAt }) => retiredAt > moment);
    return { readable, place: place === -1 ? readable.length - 1 : place };
  };
  return {
    get current() {
      const { readable, place } = now();
      return keyAt(readable, place, purpose);
    },
    get readable() {
      const { readable, place } = now();
      return [keyAt(readable, place, purpose), ...readable.flatMap(({ key }, index) => (index === place ? [] : [key]))];
    },
    get first() {
      return keyAt(now().readable, 0, purpose);
    },
  };
}

function keyAt(entries: readonly Entry[], place: number, purpose: KeyPurpose): Buffer {
  const entry = entries[place];
  if (!entry) throw new Error(`The key ring has no key for ${purpose}.`);
  return entry.key;
}

/** Derives a key for one use from a key of the ring (HKDF-SHA-256, RFC 5869). */
export function subKey(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), use, 32));
}
