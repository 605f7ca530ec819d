import type { EntityManager } from '@mikro-orm/postgresql';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { notify } from '../../notification/notify.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import type { Environment } from '../../shared/environment.ts';
import { waitsAtEndpoint } from '../../outbox/deliveryStatus.ts';
import { isPresent } from '../../outbox/webhookEndpointStatus.ts';

const present = isPresent('p');

/** SQL: no present endpoint of the client was in a mail after this moment. One that was added since counts as told with the others. */
const quietSince = (before: string) =>
  `not exists (select 1 from webhook_endpoint o where o.client_number = p.client_number and ${isPresent('o')} and o.dead_letters_told_at > ${before})`;

/** One probe of webhook_delivery_dead for each endpoint: dead letters that have been added since the last mail. */
const dueSql = `
select distinct p.client_number as "clientNumber", p.integration_id as id, k.environment from webhook_endpoint p join client k on k.number = p.client_number
 where ${present} and exists (select 1 from webhook_delivery d where ${waitsAtEndpoint} and d.finished_at > coalesce(p.dead_letters_told_at, '-infinity'))
   and ${quietSince('$1')} order by id, environment`;

const tellSql = `
update webhook_endpoint p set dead_letters_told_at = $2
 where p.client_number = $1 and ${present} and ${quietSince('$3')} returning p.number`;
const countSql = `
select count(*)::int as letters, array_agg(distinct url) as urls
  from (select p.url from webhook_endpoint p join webhook_delivery d on ${waitsAtEndpoint} where p.client_number = $1 and ${present} limit $2) found`;

type Due = { readonly clientNumber: number; readonly id: string; readonly environment: Environment };

/**
 * Mails the owners of integrations in which dead letters wait that were not there at the last mail, at most once in 24 hours for each
 * integration and environment, with the number of all that wait (docs/specification.md, “Alerts”). It is safe to run at any time.
 */
export async function warnOfDeadLetters(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const before = new Date(now.getTime() - webhookLimits.deadLetterAlert);
  for (const { clientNumber, id, environment } of await sql<Due>(em, dueSql, [before])) {
    await em.transactional(async (tx) => {
      const { operatorId } = await lockIntegration(tx, id);
      noteLock(tx, 'webhookEndpoint');
      if ((await sql(tx, tellSql, [clientNumber, now, before])).length === 0) return;
      const most = webhookLimits.deliveriesReplayedAtOnce;
      const [found] = await sql<{ letters: number; urls: string[] }>(tx, countSql, [clientNumber, most + 1]);
      if (!found?.letters) return;
      const { letters, urls } = found;
      // Path and query may contain a secret.
      const hosts = [...new Set(urls.map((url) => new URL(url).hostname))].join(', ');
      await notify(tx, {
        kind: 'webhook_dead_letters',
        subjectId: `${id} ${environment} ${now.toISOString()}`,
        operatorId,
        integrationId: id,
        details: { environment, letters: Math.min(letters, most), more: letters > most ? 1 : 0, hosts },
        now,
      });
    });
  }
}
