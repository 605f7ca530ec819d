import { environments } from '../../shared/environment.ts';
import { factsOf, integrationStatuses, isOver, isUnknownSql, whereFacts } from '../../integration/integrationStatus.ts';
import {
  classWindows,
  concurrency,
  type CostClass,
  minuteWindow,
  type OverridableQuota,
  overridableQuotas,
  sourceWindow,
} from '../quotas.ts';
import { commonNameSql } from '../commonName.ts';
import { type AdmitParameterName, parameter } from './admitParameters.ts';
import type { Refusal } from './verdicts.ts';

/** The value of an override that has not ended, otherwise the baseline. `client` has both arrays, in the order of the quotas. */
function limitOf(costClass: CostClass, quota: OverridableQuota, baseline: AdmitParameterName): string {
  const place = overridableQuotas.indexOf(quota) + 1;
  const hasNotEnded = `k.override_ends[${place}] > ${parameter(costClass, 'now')}`;
  return `case when ${hasNotEnded} then k.override_values[${place}] else ${parameter(costClass, baseline)} end`;
}

/** What the client may use. Only redemptions count their source. */
function limitsOf(costClass: CostClass) {
  return {
    minute: limitOf(costClass, minuteWindow.quota, 'minuteLimit'),
    class: limitOf(costClass, classWindows[costClass].quota, 'classLimit'),
    concurrency: limitOf(costClass, concurrency.quota, 'concurrencyLimit'),
    ...(costClass === 'redeem' && { source: limitOf(costClass, sourceWindow.quota, 'sourceLimit') }),
  };
}

/** The leases that are still held. Usually this call releases all of them. */
function heldLeases(costClass: CostClass): string {
  const finished = parameter(costClass, 'finished');
  return `case when q.leases <@ ${finished} then '{}' else live_leases(q.leases, ${finished}, ${parameter(costClass, 'now')}) end`;
}

/**
 * The tables that admission reads, without the quota row: `take` updates that row, `look` joins it. The client's number is given and stands
 * before the joins, and the integration has a subquery of its own. Otherwise, a plan that is made while the tables have only a row or two
 * reads one of them completely.
 */
const facts = (costClass: CostClass) => `
       certificate x join client k on k.number = ${parameter(costClass, 'clientNumber')}
 cross join lateral (select * from integration where id = k.integration_id offset 0) i
  join client_feed f on f.client_number = k.number`;

/**
 * `is true` keeps the client and the status out of the choice of an index: among few certificates, one of an index that begins with them
 * looks as cheap.
 */
const isCertificate = (costClass: CostClass) => `
       x.fingerprint_sha256 = ${parameter(costClass, 'fingerprint')} and x.serial = ${parameter(costClass, 'serial')}
   and (x.client_number = k.number) is true and (x.status in ('issued', 'revoked')) is true and ${parameter(costClass, 'commonName')} = ${commonNameSql({ environment: 'k.environment', id: 'k.id' })}`;

/** The refusals that come from the integration's status: because it is over, which comes before anything about the certificate, or for now. */
function byStatus({ over }: { readonly over: boolean }): readonly (readonly [Refusal, string])[] {
  const statuses = integrationStatuses.filter((status) => isOver(status) === over);
  const refused = statuses.flatMap((status) => environments.flatMap((environment) => factsOf(status, environment).refusal ?? []));
  return [...new Set(refused)].map((refusal) => [
    refusal,
    whereFacts((each) => each.refusal === refusal, { row: 'i', environment: 'k.environment' }),
  ]);
}

/** Every reason to refuse an identified client. The first one that applies is reported. */
const refusals = (costClass: CostClass): readonly (readonly [Refusal, string])[] => {
  const { name } = classWindows[costClass];
  const most = limitsOf(costClass);
  const minuteIsUsedUp = `q.minute_start > ${parameter(costClass, 'minuteFloor')} and q.minute_count >= ${most.minute}`;
  const classIsUsedUp = `q.${name}_start > ${parameter(costClass, 'classFloor')} and q.${name}_count >= ${most.class}`;
  const sourceIsUsedUp = `exists (select from redeem_source s where s.source = ${parameter(costClass, 'source')}
    and s.window_start > ${parameter(costClass, 'sourceFloor')} and s.count >= ${most.source})`;
  return [
    ...byStatus({ over: true }),
    ['client_certificate_revoked', `x.status = 'revoked'`],
    ['client_certificate_expired', `x.usable_until <= ${parameter(costClass, 'now')}`],
    ...byStatus({ over: false }),
    ['integration_not_active', isUnknownSql('i')],
    ...(costClass === 'redeem' ? ([['link_code_attempts_exceeded', `(${classIsUsedUp}) or ${sourceIsUsedUp}`]] as const) : []),
    ['rate_limit_exceeded', `(${minuteIsUsedUp}) or (${classIsUsedUp})`],
    ['concurrency_limit_exceeded', `cardinality(${heldLeases(costClass)}) >= ${most.concurrency}`],
  ];
};

/** The client, and its windows as they are. A window's start is in milliseconds since 1970. */
const answer = (costClass: CostClass) => `
       k.number as client_number, k.id as client_id, i.id as integration_id, k.environment, i.status as integration_status,
       case k.environment when 'production' then i.reviewed_profile_version else i.profile_version end as profile_version,
       array_to_string(k.scopes, ' ') as scopes, i.production_gate_open and (select production_data_enabled from service_gate) as production_data_enabled,
       x.id as certificate_id, x.usable_until as certificate_usable_until, f.head::float8 as head, f.epoch, k.override_values, k.override_ends,
       ${milliseconds('q.minute_start')} as minute_start, q.minute_count,
       ${milliseconds(`q.${classWindows[costClass].name}_start`)} as class_start, q.${classWindows[costClass].name}_count as class_count`;

/**
 * Draws on all limits or on none, and returns what was taken, or no row if there is any reason to refuse. It is cancelled where it comes too
 * late, be it because it waited for the row. Its transaction does not wait for the disk: after a crash, a client may have drawn a little less
 * than it had.
 */
function take(costClass: CostClass): string {
  const { name } = classWindows[costClass];
  const [now, lease] = [parameter(costClass, 'now'), parameter(costClass, 'lease')];
  const started = (window: string, floor: string) => `
       ${window}_start = case when q.${window}_start > ${floor} then q.${window}_start else ${now} end,
       ${window}_count = case when q.${window}_start > ${floor} then q.${window}_count + 1 else 1 end,`;
  const taken = `
update client_quota q set ${started('minute', parameter(costClass, 'minuteFloor'))} ${started(name, parameter(costClass, 'classFloor'))}
       leases = ${heldLeases(costClass)} || ${lease}
  from ${facts(costClass)}
 where ${isCertificate(costClass)} and q.client_number = k.number
   and ${refusals(costClass)
     .map(([, reason]) => `not (${reason})`)
     .join(' and ')}
   and ${lease} <> all (q.leases)
returning ${answer(costClass)}, refuse_late(${parameter(costClass, 'deadline')}), set_config('synchronous_commit', 'off', true) as commits`;
  if (costClass !== 'redeem') return taken;
  return `
  with taken as (${taken}, ${limitsOf(costClass).source} as source_limit)
select taken.*, ${milliseconds('s.source_start')} as source_start, s.source_count
  from taken cross join lateral take_from_redeem_source(${parameter(costClass, 'source')}, ${now}, ${parameter(costClass, 'sourceFloor')}, taken.source_limit) s`;
}

/**
 * Takes nothing and returns the verdict: why no lease can be had, or that one is free by now. Returns no row for an unknown certificate.
 */
function look(costClass: CostClass): string {
  const verdicts = refusals(costClass).map(([refusal, reason]) => `when (${reason}) is not false then '${refusal}'`);
  const ofSource = costClass === 'redeem';
  return `
select case ${verdicts.join(' ')} else 'admitted' end as verdict, ${answer(costClass)}
       , ${endOf('min', costClass)} as first_lease_end, ${endOf('max', costClass)} as last_lease_end
       ${ofSource ? `, ${milliseconds('s.window_start')} as source_start, s.count as source_count` : ''}
  from ${facts(costClass)} left join client_quota q on q.client_number = k.number
       ${ofSource ? `left join redeem_source s on s.source = ${parameter(costClass, 'source')}` : ''}
 where ${isCertificate(costClass)}`;
}

/** When the first or the last of the leases that are held ends by itself. */
function endOf(which: 'min' | 'max', costClass: CostClass): string {
  return `(select ${milliseconds(`${which}(l)`)} from unnest(${heldLeases(costClass)}) l)`;
}

function milliseconds(time: string): string {
  return `date_part('epoch', ${time}) * 1000`;
}

/** On one line, because PostgreSQL copies a statement's text each time it runs. */
const forEachClass = (statement: (costClass: CostClass) => string): Readonly<Record<CostClass, string>> => {
  const short = (costClass: CostClass) => statement(costClass).replaceAll(/\s+/g, ' ').trim();
  return { pull: short('pull'), statistics: short('statistics'), redeem: short('redeem'), est: short('est') };
};

/** Whose certificate it is, which never changes. */
export const clientOfSql = 'select client_number from certificate where fingerprint_sha256 = $1::text';

export const takeSql = forEachClass(take);
export const lookSql = forEachClass(look);

/** SQLSTATE of `take_from_redeem_source`: another client took the source's last attempt at this very moment, and nothing is taken. */
export const sourceTakenMeanwhile = 'OI001';

/** Releases finished leases where no further admission of the client has. */
export const releaseLeasesSql = `select release_leases_v2($1::int[], $2::timestamptz[])`;

/** Gives a redemption back to its source, unless the window that it was taken from is over. */
export const giveBackRedemptionSql =
  'update redeem_source set count = count - 1 where source = $1 and window_start <= $2::timestamptz and count > 0';
