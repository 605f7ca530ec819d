import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../shared/clock.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import { keepSigningKeys, type KeyWrapping, openKey } from './signingKeys.ts';
import type { DeliveryKey } from './signDelivery.ts';

type Row = { readonly id: string; readonly wrapped: Buffer };

const currentSql = `
select id, wrapped_key as wrapped from webhook_signing_key where signs_from is not null and retired_at is null`;
const liveSql = `select id, wrapped_key as wrapped from webhook_signing_key where retired_at is null`;

/** The key that signs deliveries at this moment. */
export type CurrentDeliveryKey = () => Promise<DeliveryKey>;

type Keeping = { readonly em: () => EntityManager; readonly wrapping: KeyWrapping; readonly clock: Clock };

/**
 * The current key, whenever somebody asks for it. The table is asked once a second at most, so a key that is revoked or rotated signs nothing a
 * second later, without a restart. A key only ever becomes current when it has been published for long enough. Rejects if the database is out
 * of reach, or if SIGNING_KEY does not unwrap the key.
 */
export function keepDeliveryKey({ em, wrapping, clock }: Keeping): CurrentDeliveryKey {
  let key: DeliveryKey | undefined;
  let readAt = -Infinity;
  let reading: Promise<DeliveryKey> | undefined;
  const read = async (): Promise<DeliveryKey> => {
    const now = clock.now();
    let [row] = await sql<Row>(em(), currentSql);
    if (!row) {
      // Both keys were revoked, and the job that makes others has not run yet.
      await keepSigningKeys(em(), { wrapping, now });
      [row] = await sql<Row>(em(), currentSql);
    }
    if (!row) throw new Error('There is no key that signs deliveries.');
    key = key?.kid === row.id ? key : { kid: row.id, privateKey: openKey(row, wrapping) };
    readAt = now.getTime();
    return key;
  };
  return async () => {
    if (key && Math.abs(clock.now().getTime() - readAt) < webhookLimits.signingKeyReload) return key;
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
}

/** Throws if the keys of this process do not unwrap a private key that signs now or will sign next. */
export async function refuseUnknownSigningKeys(em: EntityManager, { wrapping }: { readonly wrapping: KeyWrapping }): Promise<void> {
  for (const row of await sql<Row>(em, liveSql)) openKey(row, wrapping);
}
