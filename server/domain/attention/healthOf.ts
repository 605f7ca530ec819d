import { phaseFacts, type IntegrationPhase } from '../integration/integrationFacts.ts';
import { phaseOf, type ReadIntegrationStatus } from '../integration/integrationStatus.ts';
import type { Environment } from '../shared/environment.ts';
import type { ClientFacts, IntegrationFacts } from './facts/IntegrationFacts.ts';
import { hasFlowed, isSettingUp, settingUpWords } from './facts/settingUp.ts';
import type { Finding, Health, HealthLevel } from './findings/findingTypes.ts';
import { needsIn } from './attentionOf.ts';
import { certificateEnds } from './findings/certificateFinding.ts';
import { clientFindings } from './findings/clientFindings.ts';
import { healthFacts } from './findings/healthFacts.ts';
import type { AttentionItem } from '../notification/words/AttentionItem.ts';
import type { Act } from '../notification/words/attentionKinds.ts';
import { deletionsTitle } from '../notification/words/attentionWords.ts';
import { inSentence } from '../shared/text/firstLetter.ts';
import { productionStepNames } from '../notification/words/productionPath.ts';
import { corpusFacts } from '../sandbox/corpusFacts.ts';

/** What an integration is called instead of how it works, where it cannot work; else null. */
const stoppedLevels: Readonly<Record<IntegrationPhase, HealthLevel | null>> = {
  unapproved: null,
  prepared: null,
  open: null,
  suspended: 'suspended',
  over: 'retired',
};

/** How an integration is in one environment, as of one moment: the worst of its signals, in one sentence. */
export function healthOf(facts: IntegrationFacts, environment: Environment): Health {
  const client = facts[environment];
  const findings = client ? clientFindings(facts, client) : [];
  const level = healthLevelOf(facts, environment);
  const needs = needsIn(facts, environment);
  const named = namedNeeds(needs);
  return {
    environment,
    level,
    word: healthFacts[level].word,
    sentence: sentenceOf(facts, { environment, level, findings, named, undeleted: undeletedWords(client) }),
    acts: named.map((each) => ({ ...each.act, about: withoutEnvironment(aboutWords(findings, each), environment), level: each.level })),
    unnamed: needs.filter((each) => !named.includes(each)).map(({ act }) => (act.page === 'webhookEndpoint' ? 'webhooks' : act.page)),
    needs: needs.length,
    certificateEnds: client ? certificateEnds(client, facts.asOf) : [],
    asOf: facts.asOf,
    signals: findings,
  };
}

/** The level of `healthOf`, without its words. */
export function healthLevelOf(facts: IntegrationFacts, environment: Environment): HealthLevel {
  const client = facts[environment];
  const phase = phaseOf(facts.status, environment);
  const stopped = stoppedLevels[phase];
  // What never had a client has not ended, but nobody gets one while calls are stopped.
  if (!client) return stopped !== null && phaseFacts[phase].calls === 'notNow' ? stopped : 'new';
  if (stopped !== null) return stopped;
  const findings = clientFindings(facts, client);
  if (findings.some(({ level }) => level === 'failing')) return 'failing';
  if (findings.some(({ level }) => level === 'attention')) return 'attention';
  // Nothing is healthy before data has flowed.
  if (hasFlowed(client)) return 'healthy';
  return isSettingUp(facts, client) ? 'settingUp' : 'new';
}

type Judged = {
  readonly environment: Environment;
  readonly level: HealthLevel;
  readonly findings: readonly Finding[];
  readonly named: readonly AttentionItem[];
  /** What still has to be deleted, as in “; 1 deletion due”: it has its deadline whatever else has ended. */
  readonly undeleted: string;
};

function sentenceOf(facts: IntegrationFacts, { environment, level, findings, named, undeleted }: Judged): string {
  const where = environment === 'sandbox' ? 'Sandbox' : 'Production';
  switch (level) {
    case 'retired':
      return `${where}: retired for good; every call is refused${undeleted}.`;
    case 'suspended':
      return `Production: suspended${facts.suspendedFor === 'missedDeletion' ? ' for a missed deletion' : ''}; no data flows${undeleted}${named
        .filter(({ kind }) => kind === 'webhookFailing')
        .map(({ title }) => `; also ${withoutEnvironment(inSentence(title), environment)}`)
        .join('')}.`;
    case 'new':
      return `${where}: ${named[0] ? withoutEnvironment(inSentence(named[0].title), environment) : newWords(facts, environment)}.`;
    case 'settingUp':
      return `${where}: ${aheadWords(facts)}.`;
    case 'failing':
    case 'attention':
    case 'healthy':
      return `${where}: ${partsOf(findings, named)
        .map((each) => withoutEnvironment(each, environment))
        .join('; ')}.`;
  }
}

/**
 * The needs that the sentence names, which are those that a page can offer an act about: what needs the owner first, what comes next elsewhere,
 * for the page that already shows the first; and what else fails.
 */
function namedNeeds(needs: readonly AttentionItem[]): AttentionItem[] {
  const [first, ...others] = needs;
  if (!first) return [];
  const next = others.find(({ act }) => placeOf(act) !== placeOf(first.act));
  const failing = others.find(({ level }) => level === 'failing');
  return needs.filter((each) => each === first || each === next || each === failing);
}

const placeOf = ({ page, environment, objectId }: Act): string => [page, environment, objectId].join();

/** What needs the owner leads, and whether data flows follows, unless that is what needs the owner. */
function partsOf(findings: readonly Finding[], named: readonly AttentionItem[]): string[] {
  const [data] = findings;
  if (!data) return [];
  const said = named.map((each, place) => {
    const phrase = aboutWords(findings, each);
    // Two needs side by side would read as cause and effect, unless the second names its cause itself, or is a step to take.
    return place > 0 && each.kind !== 'certificateRefused' && each.level !== 'settingUp' ? `also ${phrase}` : phrase;
  });
  return named.some((each) => isOf(data, each)) ? said : [...said, phraseOf(data)];
}

/** What a need is about. Whether data flows is told with its figure. */
function aboutWords([data]: readonly Finding[], item: AttentionItem): string {
  return data && isOf(data, item) ? phraseOf(data) : inSentence(item.title);
}

const isOf = ({ needs }: Finding, { id }: AttentionItem): boolean => needs.some((each) => each.id === id);

function undeletedWords(client: ClientFacts | null): string {
  if (client?.environment !== 'production' || client.deletions.dueCount === 0) return '';
  const { dueCount, overdueCount } = client.deletions;
  return `; ${deletionsTitle({ outstanding: dueCount, overdue: overdueCount })}`;
}

/** What stands by itself elsewhere names the environment, with which this sentence begins. */
function withoutEnvironment(part: string, environment: Environment): string {
  return part.replace(`${environment} `, '');
}

function phraseOf({ word, figure }: Finding): string {
  return `${inSentence(word)}${figure === null ? '' : `, ${figure}`}`;
}

/** Null from the approval on, where the steps say more. */
const newProductionWords: Readonly<Record<ReadIntegrationStatus, string | null>> = {
  sandbox: 'begins with a review',
  submitted: 'in review',
  rejected: 'begins with a review',
  approved: null,
  active: null,
  suspended: null,
  retired: 'never used',
  unknown: 'in a status of a later release',
};

/** The step that comes next, or what is still awaited once all are done. */
function aheadWords(facts: IntegrationFacts): string {
  const words = facts.production && settingUpWords(facts, facts.production);
  return words ? inSentence(words) : `all ${productionStepNames.length} steps are done, ${newWords(facts, 'production')}`;
}

function newWords(facts: IntegrationFacts, environment: Environment): string {
  const { status, corpus } = facts;
  const first = facts[environment]?.lastRequestAt ? 'waiting for your first sync' : 'waiting for your first call';
  if (environment === 'sandbox') return corpus && corpusFacts[corpus].isReady ? first : 'the test data is being generated';
  return newProductionWords[status] ?? first;
}
