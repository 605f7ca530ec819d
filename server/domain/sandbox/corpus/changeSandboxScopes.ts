import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { lockFeed, raiseEpoch } from '../../feed/lockFeeds.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { enqueue } from '../../shared/jobs.ts';
import type { Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { recheckDeliveries } from '../../outbox/wakePump.ts';
import { refuseTooManyCorpora } from './refuseTooManyCorpora.ts';
import { requestSandboxCorpus } from './requestSandboxCorpus.ts';

type ChangeSandboxScopes = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  readonly scopes: readonly Scope[];
  readonly now: Date;
};

const lockClientSql = locking(
  'client',
  'no key update',
  (clause) => `select number, id from client where integration_id = $1 and environment = 'sandbox' ${clause}`,
);

/**
 * Gives an integration's sandbox client other scopes, in the caller's transaction, which holds the integration. What they no longer cover
 * disappears with the next request, in a new feed epoch. What they add comes with the next corpus, which is requested here and supersedes
 * one that is being built. Errors: rate_limit_exceeded.
 */
export async function changeSandboxScopes(tx: EntityManager, { actor, integrationId, scopes, now }: ChangeSandboxScopes): Promise<void> {
  const [client] = await takeLock<{ number: number; id: string }>(tx, lockClientSql, [integrationId]);
  if (!client) throw new Error(`The integration ${integrationId} has no sandbox client.`);
  await refuseTooManyCorpora(tx, client.number, now);
  const { generation } = await requestSandboxCorpus(tx, client.number, now);
  await tx.flush();
  await enqueue(tx, 'buildSandboxCorpus', { clientNumber: client.number, generation });
  await record(tx, actor, now, {
    action: 'client.scopes_changed',
    subject: { type: 'client', id: client.id },
    integrationId,
    details: { scopes: scopes.join(' '), generation },
  });
  // Scopes change under the feed's lock, so that commands which grant by them see either the old scopes or the new ones.
  await lockFeed(tx, client.number);
  await raiseEpoch(tx, client.number, now);
  await sql(tx, 'update client set scopes = $2 where number = $1', [client.number, scopes]);
  await recheckDeliveries(tx, { clientNumber: client.number });
}
