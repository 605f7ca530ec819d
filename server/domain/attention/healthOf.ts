import type { Environment } from '../shared/environment.ts';
import type { ClientFacts, IntegrationFacts } from './facts/IntegrationFacts.ts';
import type { Finding, Health, HealthLevel } from './findings/findingTypes.ts';
import { clientFindings } from './findings/clientFindings.ts';

const words: Readonly<Record<HealthLevel, string>> = {
  new: 'New',
  healthy: 'Healthy',
  attention: 'Needs you',
  failing: 'Failing',
  suspended: 'Suspended',
  retired: 'Retired',
};

/** How an integration is in one environment, as of one moment: the worst of its signals, in one sentence. */
export function healthOf(facts: IntegrationFacts, environment: Environment): Health {
  const client = facts[environment];
  const findings = client ? clientFindings(facts, client) : [];
  const level = levelOf(facts, environment, client, findings);
  return {
    environment,
    level,
    word: words[level],
    sentence: sentenceOf(facts, environment, level, findings),
    asOf: facts.asOf,
    signals: findings,
  };
}

function levelOf(facts: IntegrationFacts, environment: Environment, client: ClientFacts | null, findings: readonly Finding[]): HealthLevel {
  if (facts.status === 'retired') return 'retired';
  if (facts.status === 'suspended' && environment === 'production') return 'suspended';
  if (!client) return 'new';
  if (findings.some(({ level }) => level === 'failing')) return 'failing';
  if (findings.some(({ level }) => level === 'attention')) return 'attention';
  // Nothing is healthy before data has flowed.
  if ((client.maySync ? client.lastSyncAt : client.lastRequestAt) === null) return 'new';
  return 'healthy';
}

function sentenceOf(facts: IntegrationFacts, environment: Environment, level: HealthLevel, findings: readonly Finding[]): string {
  const where = environment === 'sandbox' ? 'Sandbox' : 'Production';
  switch (level) {
    case 'retired':
      return `${where}: retired for good; every call is refused.`;
    case 'suspended':
      return 'Production: suspended; no data flows.';
    case 'new':
      return `${where}: ${newWords(facts, environment)}.`;
    default: {
      const [data] = findings;
      const worst = level === 'healthy' ? data : findings.find((each) => each.level === level);
      const more = worst && worst !== data ? inSentence(worst.needs[0]?.title ?? worst.word) : null;
      // Where something fails, it would be odd to begin with what works.
      const parts = level === 'failing' && data?.level === 'healthy' && more ? [more, data.figure] : [data && phraseOf(data), more];
      return `${where}: ${parts.filter(Boolean).join('; ')}.`;
    }
  }
}

function phraseOf({ word, figure }: Finding): string {
  return `${inSentence(word)}${figure === null ? '' : `, ${figure}`}`;
}

function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function newWords(facts: IntegrationFacts, environment: Environment): string {
  const { status, corpus } = facts;
  const first = facts[environment]?.lastRequestAt ? 'waiting for your first sync' : 'waiting for your first call';
  if (environment === 'sandbox') return corpus === 'ready' ? first : 'the test data is being generated';
  if (status === 'active') return first;
  if (status === 'approved') return 'approved, not active yet';
  return status === 'submitted' ? 'in review' : 'begins with a review';
}
