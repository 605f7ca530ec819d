import type { EntityManager } from '@mikro-orm/postgresql';
import { isOverSql } from '../integration/integrationStatus.ts';
import { notify } from '../notification/notify.ts';
import { usageLimits } from './usageLimits.ts';
import { sql } from '../shared/sql.ts';
import { quotas, quotaWindows } from '../client/quotas.ts';

type Reached = {
  readonly clientId: string;
  readonly environment: string;
  readonly integrationId: string;
  readonly operatorId: string;
  readonly quota: string;
  readonly started: number;
  readonly percent: number;
  readonly limit: number;
};

/** The window of a minute passes too soon for a mail to be useful. */
const hourly = quotaWindows.filter(({ seconds }) => seconds >= 3_600);
const hour = 60 * 60 * 1000;
const windowRows = hourly.map(({ name, quota }) => `('${quota}', q.${name}_start, q.${name}_count, ${quotas[quota].baseline})`).join(', ');

/**
 * Of every client's running windows those that have reached a threshold and have not been told it, or a higher one. Overrides by
 * quota_override_current; mails by the key (kind, subject_id).
 */
const reachedSql = `
select k.id as "clientId", k.environment, i.id as "integrationId", i.operator_id as "operatorId", r.quota, r.started, r.percent, r.quota_limit as "limit"
  from client_quota q
 cross join lateral (values ${windowRows}) w (quota, window_start, used, baseline)
  left join quota_override o on o.client_number = q.client_number and o.quota = w.quota and o.withdrawn_at is null
        and (o.expires_at is null or o.expires_at > $1::timestamptz)
 cross join lateral (select w.quota, (extract(epoch from w.window_start) * 1000)::float8 as started, coalesce(o.value, w.baseline) as quota_limit,
                            w.used * 100.0 / coalesce(o.value, w.baseline) as share) s
 cross join lateral (select s.*, (select max(t) from unnest($2::int[]) t where t <= s.share) as percent) r
  join client k on k.number = q.client_number join integration i on i.id = k.integration_id
 where w.window_start > $1::timestamptz - interval '1 hour' and r.percent is not null and not ${isOverSql('i')}
   and not exists (select 1 from unnest($2::int[]) t join mail m
                      on m.kind = 'quota_reached' and m.subject_id = k.id || ':' || w.quota || ':' || r.started::bigint || ':' || t
                    where t >= r.percent)`;

/**
 * Mails owners whose client has used 80% or all of an hourly quota, at most once for each client, quota, window and threshold, and for the
 * lower threshold only if the higher one was not mailed. It reads what admission counts, outside of any request. It is safe to run at any
 * time.
 */
export async function warnOfQuotas(em: EntityManager, { now }: { now: Date }): Promise<void> {
  await em.transactional(async (tx) => {
    for (const reached of await sql<Reached>(tx, reachedSql, [now, usageLimits.quotaWarningPercents])) {
      const { clientId, environment, integrationId, operatorId, quota, started, percent, limit } = reached;
      await notify(tx, {
        kind: 'quota_reached',
        subjectId: `${clientId}:${quota}:${Math.round(started)}:${percent}`,
        operatorId,
        integrationId,
        details: { environment, quota, percent, limit, resetsAt: new Date(started + hour).toISOString() },
        now,
      });
    }
  });
}
