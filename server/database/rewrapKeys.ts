import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../domain/audit/record.ts';
import type { Actor } from '../domain/shared/actor.ts';
import { sql } from '../domain/shared/sql.ts';
import { keyId, unwrapKey, wrapKey, type WrappingKeys } from '../platform/keyStore.ts';

type Variable = WrappingKeys['variable'];
type Store = { readonly table: string; readonly column: string; readonly purpose: string };

/** Every column with secrets that a variable wraps, and the SQL of the purpose that each was wrapped for. */
const stores: Readonly<Record<Variable, readonly Store[]>> = {
  MASTER_KEY: [{ table: 'key_ring_entry', column: 'wrapped', purpose: 'purpose' }],
  SIGNING_KEY: [
    { table: 'certificate_authority', column: 'wrapped_key', purpose: `'certificate_authority'` },
    { table: 'issuing_authority_request', column: 'wrapped_key', purpose: `'certificate_authority'` },
    { table: 'webhook_signing_key', column: 'wrapped_key', purpose: `'webhook_signing_key'` },
  ],
};

/** How many secrets one transaction wraps. */
const slice = 100;

/** How many secrets each key wraps, by the key's name. */
export type WrappedSecrets = Readonly<Record<string, number>>;

type Rewrapping = {
  readonly rewrapped: number;
  readonly left: WrappedSecrets;
  /** Why secrets could not be rewrapped. */
  readonly reasons: readonly string[];
};

/**
 * Wraps under the current key what the former key wraps, in slices, while all processes run (docs/specification.md, “Keys at rest”). Repeating it
 * continues where it ended. A secret that somebody else has replaced meanwhile is left to them.
 */
export async function rewrapKeys(
  em: EntityManager,
  { keys, actor, now }: { keys: WrappingKeys; actor: Actor; now: Date },
): Promise<Rewrapping> {
  let rewrapped = 0;
  const reasons = new Set<string>();
  for (const store of stores[keys.variable]) {
    for (let after: string | null = ''; after !== null;) {
      const done: Slice = await em.transactional((tx) => rewrapSlice(tx, store, { keys, actor, now, after: after ?? '' }));
      rewrapped += done.rewrapped;
      for (const reason of done.reasons) reasons.add(reason);
      after = done.last;
    }
  }
  const { [keyId(keys.current)]: _, ...left } = await wrappedSecrets(em, keys.variable);
  return { rewrapped, left, reasons: [...reasons] };
}

/** Under which keys the secrets of a variable are wrapped. No key is needed to tell. */
export async function wrappedSecrets(em: EntityManager, variable: Variable): Promise<WrappedSecrets> {
  const each = stores[variable].map(
    ({ table, column }) => `select substring(${column} from 2 for 8) as id from ${table} where ${column} is not null`,
  );
  const text = `select encode(id, 'hex') as key, count(*)::int as count from (${each.join(' union all ')}) wrapped group by id order by id`;
  const rows = await sql<{ key: string; count: number }>(em, text);
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

type Slice = { readonly rewrapped: number; readonly reasons: readonly string[]; readonly last: string | null };
type SliceOf = { readonly keys: WrappingKeys; readonly actor: Actor; readonly now: Date; readonly after: string };

async function rewrapSlice(tx: EntityManager, { table, column, purpose }: Store, { keys, actor, now, after }: SliceOf): Promise<Slice> {
  const wrappedBy = keyId(keys.current);
  const rows = await sql<{ id: string; purpose: string; wrapped: Buffer }>(
    tx,
    `select id, ${purpose} as purpose, ${column} as wrapped from ${table}
      where ${column} is not null and substring(${column} from 2 for 8) <> decode($1, 'hex') and id > $2 order by id limit ${slice}`,
    [wrappedBy, after],
  );
  const replaceSql = `update ${table} set ${column} = $2 where id = $1 and ${column} = $3 returning 1`;
  const reasons: string[] = [];
  let rewrapped = 0;
  for (const row of rows) {
    const replacement = rewrap(keys, row);
    if (typeof replacement === 'string') reasons.push(replacement);
    else rewrapped += (await sql(tx, replaceSql, [row.id, replacement, row.wrapped])).length;
  }
  if (rewrapped > 0) {
    const details = { variable: keys.variable, secrets: rewrapped };
    await record(tx, actor, now, { action: 'wrapping_key.changed', subject: { type: 'wrapping_key', id: wrappedBy }, details });
  }
  return { rewrapped, reasons, last: rows.length < slice ? null : (rows.at(-1)?.id ?? null) };
}

/** The secret under the current key, or the reason why it cannot be opened. */
function rewrap(keys: WrappingKeys, { purpose, wrapped }: { readonly purpose: string; readonly wrapped: Buffer }): Buffer | string {
  try {
    return wrapKey(keys.current, purpose, unwrapKey(keys, purpose, wrapped));
  } catch (error) {
    return (error as Error).message;
  }
}
