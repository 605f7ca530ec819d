import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { certificateFinding } from './certificateFinding.ts';
import { dataFinding } from './dataFinding.ts';
import { deletionsFinding } from './deletionsFinding.ts';
import { errorsFinding } from './errorsFinding.ts';
import { quotaFinding } from './quotaFinding.ts';
import { webhooksFinding } from './webhooksFinding.ts';

/** What is known of a client, with what has been found in it and in which facts about its integration, once that has been asked for. */
type Judged = ClientFacts & { found?: { readonly facts: IntegrationFacts; readonly findings: readonly Finding[] } };

/**
 * What there is to say about a client: one finding for each signal. Health and attention are both made of these, so they are found once: an answer
 * about a thousand integrations asks for them several times. They are kept with the facts, because the collector of garbage takes long over a weak map.
 */
export function clientFindings(facts: IntegrationFacts, client: Judged): readonly Finding[] {
  if (client.found?.facts === facts) return client.found.findings;
  const findings = [
    dataFinding(facts, client),
    errorsFinding(facts, client),
    certificateFinding(facts, client),
    deletionsFinding(facts, client),
    webhooksFinding(facts, client),
    quotaFinding(facts, client),
  ];
  client.found = { facts, findings };
  return findings;
}
