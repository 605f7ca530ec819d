import type { EntityManager } from '@mikro-orm/postgresql';
import { integrationActFacts } from '../../audit/integrationActFacts.ts';
import { integrationActsThat, type IntegrationAct } from '../../audit/integrationActs.ts';
import { plannedOnce, sql } from '../../shared/sql.ts';

/** The steps of an integration's timeline: changes of its status and of its gate. */
export type TimelineStep = NonNullable<(typeof integrationActFacts)[IntegrationAct]['step']>;
const timelineActs = integrationActsThat(({ step }) => step !== null);
const suspendingActs = integrationActsThat(({ step }) => step === 'suspended');
export const timelineSteps = timelineActs.map(stepOf);

function stepOf(act: IntegrationAct): TimelineStep {
  const { step } = integrationActFacts[act];
  if (step === null) throw new Error(`${act} is no step of the timeline.`);
  return step;
}

export const timelineAuthors = ['owner', 'staff', 'service'] as const;

export type TimelineEntry = {
  readonly step: TimelineStep;
  readonly at: Date;
  /** Its owner, the service's staff, or the service by itself. */
  readonly by: (typeof timelineAuthors)[number];
  readonly reason: string | null;
};

const mostEntries = 50;

const entryColumns = `a.action, a.occurred_at as at, a.details ->> 'reason' as reason,
       case when a.actor_type = 'system' then 'service' when a.actor_id = a.operator_id then 'owner' else 'staff' end as by`;

/** Reads index `audit_entry_subject`: only the few entries about the integration itself. */
const timelineSql = `
select wanted.id as "integrationId", ${entryColumns}
  from unnest($1::text[]) wanted(id)
 cross join lateral (select * from audit_entry where subject_type = 'integration' and subject_id = wanted.id and action = any($2)
                      order by id desc limit ${mostEntries}) a
 order by a.id desc`;

/** Reads one entry of index `audit_entry_integration_action` for each integration and action. */
const latestSql = `
select wanted.id as "integrationId", ${entryColumns}
  from unnest($1::text[]) wanted(id)
 cross join unnest($2::text[]) act(action)
 cross join lateral (select * from audit_entry where integration_id = wanted.id and action = act.action
                      order by occurred_at desc, id desc limit 1) a
 order by a.occurred_at desc, a.id desc`;

type Row = Omit<TimelineEntry, 'step' | 'at'> & { integrationId: string; action: IntegrationAct; at: Date };

/** The latest fifty steps of each integration's status and gate from the audit trail, newest first: to be shown, since the earlier ones are missing. */
export async function statusTimelines(em: EntityManager, integrationIds: readonly string[]): Promise<TimelineEntry[][]> {
  return entriesOf(integrationIds, await sql<Row>(em, timelineSql, [integrationIds, timelineActs]));
}

/** The latest step of each kind of each integration, newest first. What is not among them has never happened, so this is what conclusions are drawn from. */
export async function latestSteps(em: EntityManager, integrationIds: readonly string[]): Promise<TimelineEntry[][]> {
  return entriesOf(integrationIds, await sql<Row>(em, latestSql, [integrationIds, timelineActs]));
}

function entriesOf(integrationIds: readonly string[], rows: readonly Row[]): TimelineEntry[][] {
  const found = Map.groupBy(rows, ({ integrationId }) => integrationId);
  return integrationIds.map((id) => (found.get(id) ?? []).map(({ action, at, by, reason }) => ({ step: stepOf(action), at, by, reason })));
}

export const suspensionCauses = ['missedDeletion', 'decision'] as const;
export type SuspensionCause = (typeof suspensionCauses)[number];

/** By the same index. One look at each partition for all of them, not one for each of them: most partitions have nothing about any. */
const causesSql = plannedOnce(
  'suspension_causes',
  `
select distinct on (subject_id) subject_id as id, actor_type = 'system' as "isByService"
  from audit_entry where subject_type = 'integration' and subject_id = any($1::text[]) and action = any($2::text[]) order by subject_id, id desc`,
);

/**
 * What led to the latest suspension of each of these integrations: the service suspends by itself only for a missed deletion; every other
 * suspension is somebody's decision.
 */
export async function causesOfSuspension(em: EntityManager, integrationIds: readonly string[]): Promise<Map<string, SuspensionCause>> {
  const rows = await sql<{ id: string; isByService: boolean }>(em, causesSql, [integrationIds, suspendingActs]);
  const byService = new Set(rows.filter(({ isByService }) => isByService).map(({ id }) => id));
  return new Map(integrationIds.map((id) => [id, byService.has(id) ? 'missedDeletion' : 'decision']));
}
