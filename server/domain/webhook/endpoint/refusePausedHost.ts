import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { webhookEndpointLifecycle } from '../../outbox/webhookEndpointStatus.ts';

/** Index webhook_endpoint_list. */
const pausedSql = `
select p.url from integration i join webhook_endpoint p on p.integration_id = i.id
 where i.operator_id = $1 and ${webhookEndpointLifecycle.where(({ receives }) => receives === 'notNow', { row: 'p' })} and p.paused_by = 'administrator'`;

/**
 * Throws `conflict` if an administrator has paused one of the operator's endpoints at the host of this URL, which must be a good one. The
 * host decides, because one receiver answers at many spellings of a path and with any query.
 */
export async function refusePausedHost(tx: EntityManager, operatorId: string, url: string): Promise<void> {
  const host = new URL(url).hostname;
  const paused = await sql<{ url: string }>(tx, pausedSql, [operatorId]);
  if (!paused.some((endpoint) => new URL(endpoint.url).hostname === host)) return;
  throw new DomainError('conflict', {
    detail: `An administrator has paused your endpoint at ${host}. Until an administrator resumes it, no endpoint can be set up there or moved there.`,
  });
}
