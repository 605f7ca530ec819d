import type { ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { certificateFinding } from './certificateFinding.ts';
import { dataFinding } from './dataFinding.ts';
import { deletionsFinding } from './deletionsFinding.ts';
import { errorsFinding } from './errorsFinding.ts';
import { quotaFinding } from './quotaFinding.ts';
import { webhooksFinding } from './webhooksFinding.ts';

/** What there is to say about a client: one finding for each signal. Health and attention are both made of these. */
export function clientFindings(facts: IntegrationFacts, client: ClientFacts): Finding[] {
  return [dataFinding, errorsFinding, certificateFinding, deletionsFinding, webhooksFinding, quotaFinding].map((find) =>
    find(facts, client),
  );
}
