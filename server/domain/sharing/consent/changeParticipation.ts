import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll, type AuditRecord } from '../../audit/record.ts';
import { lockFeed } from '../../feed/lockFeeds.ts';
import type { Actor } from '../../shared/actor.ts';
import type { Environment } from '../../shared/environment.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { isLive } from '../linkCodeStatus.ts';

/** A user's choice about one integration's statistics in one environment. */
type Participation = {
  readonly client: { readonly number: number; readonly environment: Environment; readonly integrationId: string };
  readonly userRef: Buffer;
  readonly optedIn: boolean;
};

type Made = { readonly actor: Actor; readonly now: Date };

/** Index link_code_user. Waits for redemptions in progress, because the code that they redeem is a connection afterwards. */
const lockLiveLinkCodesSql = locking(
  'linkCode',
  'no key update',
  (clause) => `
select id from link_code c
 where environment = $2 and user_ref = $3 and client_number = $1 and ${isLive('c', '$4')}
 order by id ${clause}`,
);

const changeLinkCodesSql = `
update link_code set statistics_opted_in = $2 where statistics_opted_in <> $2 and id = any($1::text[]) returning id`;

const setParticipationSql = 'select set_participation($1, $2, $3) as id';

/**
 * Applies a choice to all live connections of the user and the integration, and to those that the user's live link codes will create. The
 * caller holds the user (`lockUser`), and after this call the feed. Returns how many link codes are live.
 */
export async function changeParticipation(tx: EntityManager, participation: Participation & Made): Promise<{ liveLinkCodes: number }> {
  const { client, userRef, optedIn, now } = participation;
  const live = await takeLock<{ id: string }>(tx, lockLiveLinkCodesSql, [client.number, client.environment, userRef, now]);
  const changed = await sql<{ id: string }>(tx, changeLinkCodesSql, [live.map(({ id }) => id), optedIn]);
  await recordChoice(
    tx,
    { ...participation, integrationId: client.integrationId },
    'link_code',
    changed.map(({ id }) => id),
  );
  // Connections change only under the feed's lock.
  await lockFeed(tx, client.number);
  await changeInConnections(tx, participation);
  return { liveLinkCodes: live.length };
}

/** Applies a choice to all live connections of the user and the integration. The caller holds the feed. */
async function changeInConnections(tx: EntityManager, participation: Participation & Made): Promise<void> {
  const { client, userRef, optedIn } = participation;
  const changed = await sql<{ id: string }>(tx, setParticipationSql, [client.number, userRef, optedIn]);
  await recordChoice(
    tx,
    { ...participation, integrationId: client.integrationId },
    'connection',
    changed.map(({ id }) => id),
  );
}

/** Not in the owner's trail, because who takes part in statistics is the user's own business (docs/specification.md, “Data boundary”). */
async function recordChoice(
  tx: EntityManager,
  { actor, integrationId, optedIn, now }: Made & { readonly integrationId: string; readonly optedIn: boolean },
  type: 'link_code' | 'connection',
  changed: readonly string[],
): Promise<void> {
  const entries = changed.map((id): AuditRecord => ({
    action: 'statistics_participation.set',
    subject: { type, id },
    integrationId,
    details: { optedIn },
  }));
  await recordAll(tx, actor, now, entries);
}
