import { randomInt } from 'node:crypto';
import type postgres from 'postgres';
import { factsOf, type IntegrationStatus } from '../../server/domain/integration/integrationStatus.ts';
import type { Environment } from '../../server/domain/shared/environment.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import type { ClientIdentity } from '../corpus.ts';

type Certificate = {
  serial: string;
  status: string;
  usable_until: Date;
  number: number;
  client_id: string;
  environment: Environment;
  integration_id: string;
};
type Integration = { status: IntegrationStatus; gate: boolean };
type Override = { quota: string; value: number };
type Quota = { minute_start: Date; minute_count: number; hour_start: Date; hour_count: number; leases: string };

const minute = 60_000;
const hour = 60 * minute;

/**
 * What `admit` and the release of the lease do for a pull request, in the way that it is usually written: a query for each check, the
 * windows and the lease under the row's lock in a transaction, and a separate statement that releases the lease. It has the same effects
 * and the same asynchronous commit (a setting of the connection). Throws where `admit` would refuse.
 */
export async function separateAdmission(
  sql: postgres.Sql,
  { fingerprintSha256, serial, commonName }: ClientIdentity['facts'],
): Promise<void> {
  const now = new Date();
  const [certificate] = await sql<Certificate[]>`
    select x.serial, x.status, x.usable_until, k.number, k.id as client_id, k.environment, k.scopes, k.integration_id
      from certificate x join client k on k.number = x.client_number where x.fingerprint_sha256 = ${fingerprintSha256}`;
  if (!certificate || certificate.serial !== serial || certificate.status !== 'issued' || certificate.usable_until <= now)
    throw new Error('unknown');
  if (commonName !== `svc:${certificate.environment}:${certificate.client_id}`) throw new Error('unknown');
  const { number, environment } = certificate;

  const [integration] = await sql<Integration[]>`
    select i.status, i.profile_version, i.reviewed_profile_version, i.production_gate_open and g.production_data_enabled as gate
      from integration i cross join service_gate g where i.id = ${certificate.integration_id}`;
  if (!integration || factsOf(integration.status, environment).calls !== 'yes') throw new Error('not active');

  const overrides = await sql<Override[]>`
    select quota, value, expires_at from quota_override
     where client_number = ${number} and withdrawn_at is null and (expires_at is null or expires_at > ${now})`;
  const limitOf = (quota: string, usual: number) => overrides.find((override) => override.quota === quota)?.value ?? usual;

  const [feed] = await sql`select head, epoch from client_feed where client_number = ${number}`;
  if (!feed) throw new Error('no feed');

  const lease = `${new Date(now.getTime() + limits.leaseLifetime).toISOString().slice(0, -1)}${String(randomInt(1_000)).padStart(3, '0')}Z`;
  await sql.begin(async (tx) => {
    const [quota] = await tx<Quota[]>`
      select minute_start, minute_count, hour_start, hour_count, array_to_string(leases, ',') as leases from client_quota where client_number = ${number} for no key update`;
    if (!quota) throw new Error('no quota');
    const minuteUsed = quota.minute_start.getTime() > now.getTime() - minute ? quota.minute_count : 0;
    const hourUsed = quota.hour_start.getTime() > now.getTime() - hour ? quota.hour_count : 0;
    const live = quota.leases.split(',').filter((held) => Date.parse(held) > now.getTime());
    if (
      minuteUsed >= limitOf('requests_per_minute', limits.requestsPerMinute) ||
      hourUsed >= limitOf('requests_per_hour', limits.requestsPerHour)
    )
      throw new Error('rate limit');
    if (live.length >= limitOf('concurrent_requests', limits.concurrentRequests)) throw new Error('concurrency limit');
    await tx`
      update client_quota set minute_start = ${minuteUsed === 0 ? now : quota.minute_start}, minute_count = ${minuteUsed + 1},
             hour_start = ${hourUsed === 0 ? now : quota.hour_start}, hour_count = ${hourUsed + 1}, leases = ${`{${[...live, lease].map((held) => `"${held}"`).join(',')}}`}::text::timestamptz[]
       where client_number = ${number}`;
  });
  await sql`update client_quota set leases = array_remove(leases, ${lease}::text::timestamptz) where client_number = ${number}`;
}
