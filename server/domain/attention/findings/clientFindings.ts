import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { certificateFinding } from './certificateFinding.ts';
import { dataFinding } from './dataFinding.ts';
import { deletionsFinding } from './deletionsFinding.ts';
import { errorsFinding } from './errorsFinding.ts';
import { quotaFinding } from './quotaFinding.ts';
import { webhooksFinding } from './webhooksFinding.ts';

const found = new WeakMap<IntegrationFacts, Map<ClientFacts, Finding[]>>();

/**
 * What there is to say about a client: one finding for each signal. Health and attention are both made of these, so they are found once: an answer
 * about a thousand integrations asks for them several times.
 */
export function clientFindings(facts: IntegrationFacts, client: ClientFacts): readonly Finding[] {
  const ofClients = found.get(facts) ?? new Map<ClientFacts, Finding[]>();
  found.set(facts, ofClients);
  const known = ofClients.get(client);
  if (known) return known;
  const findings = [dataFinding, errorsFinding, certificateFinding, deletionsFinding, webhooksFinding, quotaFinding].map((find) =>
    find(facts, client),
  );
  ofClients.set(client, findings);
  return findings;
}
