import type { EntityManager } from '@mikro-orm/postgresql';
import { closedSince, serviceGate, type ProductionGate } from '../../gate/serviceGate.ts';
import { type IntegrationStatus, isOverSql } from '../../integration/integrationStatus.ts';
import { causesOfSuspension, type SuspensionCause } from '../../integration/status/statusTimeline.ts';
import type { ReviewRole } from '../../review/ReviewSubmission.ts';
import { submissionLifecycle } from '../../review/submissionStatus.ts';
import { corpusLifecycle, type CorpusState } from '../../sandbox/corpusStatus.ts';
import type { Environment } from '../../shared/environment.ts';
import { syncScopes } from '../../shared/scopes.ts';
import { deletionCounts, noDeletions } from '../../sharing/deletion/deletionCounts.ts';
import { revocationLifecycle, undeletedStates } from '../../sharing/revocationStatus.ts';
import { plannedOnce, sql } from '../../shared/sql.ts';
import type { ClientFacts, IntegrationFacts } from './IntegrationFacts.ts';
import {
  calledSince,
  certificatesOf,
  deliveriesOf,
  endpointsOf,
  noDeliveries,
  nothingAsked,
  refusedSyncs,
  requestsOf,
  usedQuotas,
} from './clientRows.ts';
import { openSince } from './openSince.ts';
import { integrationFacts } from '../../integration/integrationFacts.ts';
import { nameIn } from '../../shared/lifecycle.ts';

const those = 'i.id = any ($1::text[])';

/**
 * By integration_operator. One that is retired needs its owner only as long as something has to be deleted. That is looked up for each of those, where
 * an “exists” would read what everybody has to delete.
 */
const living = `
i.operator_id = $1 and (not ${isOverSql('i')} or (
  select true from client k join revocation r on r.client_number = k.number
   where k.integration_id = i.id and k.environment = 'production' and ${revocationLifecycle.isIn(undeletedStates, { row: 'r' })} limit 1))`;

/** By primary keys. */
const integrationsSql = (which: string) => `
select i.id, i.slug, v.public_name as "publicName", i.status, i.status_changed_at as "statusChangedAt", i.status_reason as "statusReason", i.production_gate_open as "gateOpen",
       i.production_gate_changed_at as "gateChangedAt", v.polling_cadence_minutes as "cadenceMinutes"
  from integration i join profile_version v on v.integration_id = i.id and v.version = i.profile_version where ${which}`;
const integrationsOfOwnerSql = integrationsSql(living);
const theseIntegrationsSql = integrationsSql(those);

type IntegrationRow = Pick<IntegrationFacts, 'id' | 'slug' | 'publicName' | 'statusReason' | 'gateOpen' | 'cadenceMinutes'> & {
  status: IntegrationStatus;
} & Record<'statusChangedAt' | 'gateChangedAt', Date | null>;

/** By the unique index (integration_id, environment), and the primary key of client_activity. */
const clientsSql = (which: string) => `
select k.number, k.id, k.environment, k.integration_id as "integrationId",
       k.scopes && '{${syncScopes.join()}}'::text[] as "maySync", 'revocations.ack' = any (k.scopes) as "hasAcknowledgeScope",
       a.last_request_at as "lastRequestAt", a.last_sync_at as "lastSyncAt"
  from client k left join client_activity a on a.client_number = k.number where k.integration_id ${which}`;
const clientsOfOwnerSql = clientsSql(`in (select i.id from integration i where ${living})`);
const theirClientsSql = plannedOnce('client_facts', clientsSql('= any ($1::text[])'));

type ClientRow = Pick<ClientFacts, 'id' | 'environment' | 'maySync' | 'hasAcknowledgeScope' | 'lastRequestAt' | 'lastSyncAt'> & {
  number: number;
  integrationId: string;
};

/**
 * What the rules of attention and health need to know about each of these integrations, in their order, as of one moment. However many there
 * are, it takes the same number of statements.
 */
export async function readFacts(em: EntityManager, integrationIds: readonly string[], asOf: Date): Promise<IntegrationFacts[]> {
  const [integrations, clients] = [
    sql<IntegrationRow>(em, theseIntegrationsSql, [integrationIds]),
    sql<ClientRow>(em, theirClientsSql, [integrationIds]),
  ];
  const found = new Map((await factsAbout(em, integrations, clients, asOf)).map((facts) => [facts.id, facts]));
  return integrationIds.map((id) => {
    const facts = found.get(id);
    if (!facts) throw new Error(`There is no integration ${id}.`);
    return facts;
  });
}

/** The same of all integrations of a person but those that are over, in no order. */
export function readOwnFacts(em: EntityManager, operatorId: string, asOf: Date): Promise<IntegrationFacts[]> {
  const [integrations, clients] = [
    sql<IntegrationRow>(em, integrationsOfOwnerSql, [operatorId]),
    sql<ClientRow>(em, clientsOfOwnerSql, [operatorId]),
  ];
  return factsAbout(em, integrations, clients, asOf);
}

async function factsAbout(
  em: EntityManager,
  asked: Promise<readonly IntegrationRow[]>,
  theirs: Promise<readonly ClientRow[]>,
  asOf: Date,
): Promise<IntegrationFacts[]> {
  const [integrations, clients, gate] = await Promise.all([asked, theirs, serviceGate(em)]);
  const numbers = clients.map(({ number }) => number);
  const rows = new Map<string, IntegrationRow>();
  for (const row of integrations) rows.set(row.id, { ...row, gateChangedAt: gateChangedAt(row, gate) });
  const [parts, corpora, reviews, causes] = await Promise.all([
    readParts(em, { clients, opened: openedOf(clients, rows), now: asOf }),
    corporaOf(em, numbers, asOf),
    reviewsOf(em, having(integrations, ['submitted', 'rejected'])),
    causesOf(em, having(integrations, ['suspended'])),
  ]);
  const clientsOf: Readonly<Record<Environment, Map<string, ClientRow>>> = { sandbox: new Map(), production: new Map() };
  for (const client of clients) clientsOf[client.environment].set(client.integrationId, client);
  return [...rows.values()].map((row) => {
    const { id } = row;
    const [sandbox, production] = [clientsOf.sandbox.get(id), clientsOf.production.get(id)];
    return {
      ...row,
      status: nameIn(integrationFacts, row.status),
      asOf,
      gateOpen: row.gateOpen && gate.open,
      suspendedFor: causes.get(id) ?? null,
      corpus: (sandbox && corpora.get(sandbox.number)) ?? null,
      review: reviews.get(id) ?? null,
      sandbox: sandbox ? factsOf(sandbox, parts) : null,
      production: production ? factsOf(production, parts) : null,
    };
  });
}

/** Of two open gates, the one that was opened last; else since when a closed one stops production data. */
function gateChangedAt(own: IntegrationRow, service: ProductionGate): Date | null {
  const ownChange = own.gateChangedAt;
  if (!own.gateOpen || !service.open) return closedSince({ open: own.gateOpen, changedAt: ownChange }, service);
  if (ownChange === null) return service.changedAt;
  return service.changedAt && service.changedAt > ownChange ? service.changedAt : ownChange;
}

/** Since when each of these clients that is of production has been answered. */
function openedOf(
  clients: readonly ClientRow[],
  rows: ReadonlyMap<string, Pick<IntegrationFacts, 'statusChangedAt' | 'gateChangedAt'>>,
): Map<number, Date> {
  const opened = new Map<number, Date>();
  for (const { number, environment, integrationId } of clients) {
    const row = environment === 'production' ? rows.get(integrationId) : undefined;
    if (row) opened.set(number, openSince(row));
  }
  return opened;
}

const having = (rows: readonly IntegrationRow[], statuses: readonly IntegrationStatus[]): string[] =>
  rows.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);

type Parts = Awaited<ReturnType<typeof readParts>>;

type Wanted = { readonly clients: readonly ClientRow[]; readonly opened: ReadonlyMap<number, Date>; readonly now: Date };

async function readParts(em: EntityManager, { clients, opened, now }: Wanted) {
  const numbers = clients.map(({ number }) => number);
  // Those that take longest begin first: a pool has fewer connections than there are statements.
  const [requests, deletions, endpoints, deliveries, certificates, quotas, syncs, firstCalls] = await Promise.all([
    requestsOf(em, { clientNumbers: numbers, opened, now }),
    deletionCounts(em, numbers, now),
    endpointsOf(em, numbers),
    deliveriesOf(em, numbers),
    certificatesOf(em, numbers),
    usedQuotas(em, numbers, now),
    refusedSyncs(em, { clients, opened, now }),
    calledSince(em, clients),
  ]);
  return { certificates, requests, syncs, firstCalls, deletions, deliveries, endpoints, quotas };
}

function factsOf(client: ClientRow, parts: Parts): ClientFacts {
  const { number, id, environment, maySync, hasAcknowledgeScope, lastRequestAt, lastSyncAt } = client;
  return {
    id,
    environment,
    maySync,
    hasAcknowledgeScope,
    lastRequestAt,
    lastSyncAt,
    refusedSync: parts.syncs.get(number) ?? null,
    calledSince: parts.firstCalls.get(number) ?? null,
    certificates: parts.certificates.get(number) ?? [],
    ...(parts.requests.get(number) ?? nothingAsked),
    quotas: parts.quotas.get(number) ?? [],
    deletions: parts.deletions.get(number) ?? noDeletions,
    deliveries: parts.deliveries.get(number) ?? noDeliveries,
    endpoints: parts.endpoints.get(number) ?? [],
  };
}

/** By the primary key. */
const corporaSql = plannedOnce(
  'corpus_facts',
  `
select distinct on (client_number) client_number as number, started_at as "startedAt", ready_at as "readyAt", failed_at as "failedAt"
  from sandbox_corpus where client_number = any ($1::int[]) order by client_number, generation desc`,
);

async function corporaOf(em: EntityManager, numbers: readonly number[], now: Date): Promise<Map<number, CorpusState>> {
  const rows = await sql<{ number: number } & Record<'startedAt' | 'readyAt' | 'failedAt', Date | null>>(em, corporaSql, [numbers]);
  const states = new Map<number, CorpusState>();
  for (const row of rows) states.set(row.number, corpusLifecycle.stateOf(row, now));
  return states;
}

/** The latest submission of each, by the unique index (integration_id, round), and the primary key of review_verdict. */
const reviewsSql = `
select wanted.id, s.waiting_for as "waitsFor", s.waiting_since as "waitingSince",
       (select count(*)::int from review_verdict v where v.submission_id = s.id and not v.met) as unmet
  from unnest($1::text[]) wanted(id)
 cross join lateral (select * from review_submission r where r.integration_id = wanted.id and ${submissionLifecycle.isIn(['submitted', 'rejected'], { row: 'r' })}
                      order by r.round desc limit 1) s`;

type ReviewRow = { id: string; waitsFor: ReviewRole; waitingSince: Date; unmet: number };

async function reviewsOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, NonNullable<IntegrationFacts['review']>>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<ReviewRow>(em, reviewsSql, [ids]);
  return new Map(rows.map(({ id, ...review }) => [id, review]));
}

async function causesOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, SuspensionCause>> {
  if (ids.length === 0) return new Map();
  return causesOfSuspension(em, ids);
}
