import type { EntityManager } from '@mikro-orm/postgresql';
import { notify } from '../../notification/notify.ts';
import type { Environment } from '../../shared/environment.ts';
import { limits } from '../../shared/limits.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import { receivesNow } from '../../outbox/webhookEndpointStatus.ts';
import { isStillTried } from '../delivery/stillTried.sql.ts';

const hour = 60 * 60 * 1000;
const slice = 500;

type Failing = {
  readonly endpointId: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly since: string;
  readonly threshold: number;
  readonly environment: Environment;
  readonly integrationId: string;
  readonly operatorId: string;
};

/**
 * By webhook_endpoint_failing: the longest threshold that has been passed, and its mail by the key (kind, subject_id). A success ends the
 * period, so the next failure begins another one with mails of its own. A threshold that was passed longer ago than mails are kept (`$3`
 * milliseconds) tells nothing any more of whether there was a mail, and is no news.
 */
const failingSql = `
select p.id as "endpointId", p.url, f.since, t.threshold, k.environment, i.id as "integrationId", i.operator_id as "operatorId"
  from webhook_endpoint p join client k on k.number = p.client_number join integration i on i.id = p.integration_id
 cross join lateral (select floor(extract(epoch from p.failing_since) * 1000)::bigint as since) f
 cross join lateral (select max(t)::float8 as threshold from unnest($2::bigint[]) t where f.since + t <= extract(epoch from $1::timestamptz) * 1000 and f.since + t + $3::bigint > extract(epoch from $1::timestamptz) * 1000) t
 where p.failing_since is not null and ${receivesNow('p')} and t.threshold is not null
   and ${isStillTried}
   and not exists (select 1 from mail m where m.kind = 'webhook_failing' and m.subject_id = p.id || ':' || f.since || ':' || t.threshold::bigint)
 order by p.failing_since, p.number limit ${slice}`;

/**
 * Mails the owners of active endpoints at which every attempt has failed for an hour, a day and five days, once for each of these in one
 * period of failures, and not while a suspension or a closed gate holds all that would be tried (docs/specification.md, “Alerts”). After a time
 * without workers, only the longest is mailed. It is safe to run at any time. No endpoint is ever switched off.
 */
export async function warnOfFailingEndpoints(em: EntityManager, { now }: { now: Date }): Promise<void> {
  for (;;) {
    const told = await em.transactional(async (tx) => {
      const failing = await sql<Failing>(tx, failingSql, [now, webhookLimits.webhookFailureAlerts, limits.mailKept]);
      for (const { endpointId, url, since, threshold, environment, integrationId, operatorId } of failing) {
        await notify(tx, {
          kind: 'webhook_failing',
          subjectId: `${endpointId}:${since}:${threshold}`,
          operatorId,
          integrationId,
          // Path and query may contain a secret.
          details: { environment, host: new URL(url).hostname, since: new Date(Number(since)).toISOString(), hours: threshold / hour },
          now,
        });
      }
      return failing.length;
    });
    if (told < slice) return;
  }
}
