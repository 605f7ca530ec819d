import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { Passkey } from './Passkey.ts';

/** The operator's passkeys, the oldest first. There are at most `accountLimits.passkeysPerOperator`. */
export function ownPasskeys(em: EntityManager, operatorId: string): Promise<Passkey[]> {
  return em.find(Passkey, { operatorId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

type RecoveryCodeState = { readonly unused: number; readonly createdAt: Date };

/** How many recovery codes are left, and since when this set exists. */
export async function recoveryCodeState(em: EntityManager, operatorId: string): Promise<RecoveryCodeState | null> {
  const [row] = await sql<{ unused: number; created_at: Date | null }>(
    em,
    `select count(*) filter (where used_at is null)::int as unused, max(created_at) as created_at
       from recovery_code where operator_id = $1`,
    [operatorId],
  );
  return row && row.created_at !== null ? { unused: row.unused, createdAt: row.created_at } : null;
}
