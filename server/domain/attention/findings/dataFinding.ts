import type { IntegrationPhase } from '../../integration/integrationFacts.ts';
import { isOver, phaseOf } from '../../integration/integrationStatus.ts';
import { limits } from '../../shared/limits.ts';
import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import { later, openSince } from '../facts/openSince.ts';
import { isSettingUp } from '../facts/settingUp.ts';
import type { Finding } from './findingTypes.ts';
import { agoWords } from '../../shared/text/spanWords.ts';
import { isMostRefused } from './errorsFinding.ts';
import { need } from './need.ts';
import { corpusFacts } from '../../sandbox/corpusFacts.ts';

const minute = 60_000;
const page = 'requests';

/** Why no data flows in production, or null where it can. */
const closedWords: Readonly<Record<IntegrationPhase, string | null>> = {
  unapproved: 'Not active yet',
  prepared: 'Not active yet',
  open: null,
  suspended: 'Stopped',
  over: 'Stopped',
};

/** Whether data flows to the client, compared with how often its back end is planned to sync. The silence of a sandbox is never wrong. */
export function dataFinding(facts: IntegrationFacts, client: ClientFacts): Finding {
  if (isOver(facts.status)) return quiet('Stopped', null, page);
  return client.environment === 'sandbox' ? sandboxFlow(facts, client) : productionFlow(facts, client);
}

function sandboxFlow(facts: IntegrationFacts, client: ClientFacts): Finding {
  const { corpus, asOf } = facts;
  const { lastSyncAt } = client;
  const data = corpus && corpusFacts[corpus];
  if (data && !data.isReady && !data.isUnderWay) {
    const needs = [need(facts, 'corpusFailed', 'failing', {})];
    return { signal: 'data', level: 'failing', word: 'Test data failed', figure: null, page: 'sandbox', needs };
  }
  if (!data?.isReady) return quiet('Test data is being generated', null, 'sandbox');
  if (!client.maySync) return calls(facts, client);
  if (lastSyncAt === null) return quiet('No sync yet', null, page);
  // A developer’s sandbox is used when it is needed.
  if (isOlder(facts, lastSyncAt, limits.syncLateAfterCadences))
    return quiet('Not in use now', `last sync ${agoWords(lastSyncAt, asOf)}`, page);
  return isMostRefused(client) ? answered(facts, lastSyncAt) : flows(facts, lastSyncAt);
}

function productionFlow(facts: IntegrationFacts, client: ClientFacts): Finding {
  const { lastSyncAt, environment } = client;
  const { status, gateOpen, gateChangedAt, asOf } = facts;
  const closed = closedWords[phaseOf(status, environment)];
  if (closed !== null) return quiet(closed, null, 'production');
  if (!gateOpen) {
    if (isSettingUp(facts, client)) return quiet('The gate is closed', null, 'production');
    const needs = [need(facts, 'gateClosed', 'failing', {}, { since: gateChangedAt })];
    return { signal: 'data', level: 'failing', word: 'The gate is closed', figure: null, page: 'production', needs };
  }
  if (!client.maySync) return calls(facts, client);
  if (lastSyncAt === null) return neverSynced(facts, client);
  const expectedFrom = later(lastSyncAt, openSince(facts));
  const figure = `last sync ${agoWords(lastSyncAt, asOf)}`;
  if (isOlder(facts, expectedFrom, limits.syncStoppedAfterCadences)) {
    const needs = [need(facts, 'syncsStopped', 'failing', { environment, never: false }, { since: expectedFrom })];
    return { signal: 'data', level: 'failing', word: 'Syncs have stopped', figure, page, needs };
  }
  if (isOlder(facts, expectedFrom, limits.syncLateAfterCadences)) {
    const needs = [need(facts, 'syncsLate', 'attention', { environment }, { since: expectedFrom })];
    return { signal: 'data', level: 'attention', word: 'Syncs are late', figure, page, needs };
  }
  if (expectedFrom > lastSyncAt) return quiet('No sync since production opened', figure, page);
  if (client.refusedSync !== null || isMostRefused(client)) return answered(facts, lastSyncAt);
  return flows(facts, lastSyncAt);
}

/** A back end that has called for long enough, and since production opened, should have synced. */
function neverSynced(facts: IntegrationFacts, { calledSince, environment }: ClientFacts): Finding {
  const since = calledSince && later(calledSince, openSince(facts));
  if (since === null || !isOlder(facts, since, limits.syncStoppedAfterCadences)) return quiet('No sync yet', null, page);
  const needs = [need(facts, 'syncsStopped', 'failing', { environment, never: true }, { since })];
  return { signal: 'data', level: 'failing', word: 'No sync yet', figure: null, page, needs };
}

/** A client that may only read statistics has nothing to sync. */
function calls({ asOf }: IntegrationFacts, client: ClientFacts): Finding {
  const { lastRequestAt } = client;
  if (lastRequestAt === null) return quiet('No call yet', null, page);
  if (isMostRefused(client)) return quiet(`Last call ${agoWords(lastRequestAt, asOf)}`, null, page);
  return { signal: 'data', level: 'healthy', word: `Called ${agoWords(lastRequestAt, asOf)}`, figure: null, page, needs: [] };
}

function isOlder({ asOf, cadenceMinutes }: IntegrationFacts, at: Date, cadences: number): boolean {
  return asOf.getTime() - at.getTime() > cadences * cadenceMinutes * minute;
}

function flows({ asOf }: IntegrationFacts, lastSyncAt: Date): Finding {
  return { signal: 'data', level: 'healthy', word: `Synced ${agoWords(lastSyncAt, asOf)}`, figure: null, page, needs: [] };
}

/** Data has flowed, and whether it still does is said by what is refused. */
function answered({ asOf }: IntegrationFacts, lastSyncAt: Date): Finding {
  return quiet(`Last successful sync ${agoWords(lastSyncAt, asOf)}`, null, page);
}

function quiet(word: string, figure: string | null, where: Finding['page']): Finding {
  return { signal: 'data', level: 'quiet', word, figure, page: where, needs: [] };
}
