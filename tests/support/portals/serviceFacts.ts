import type { ServiceFacts } from '../../../server/portal-api/context.ts';

/** An installation's facts, for documents that are answered without a portal. */
export const serviceFacts: ServiceFacts = {
  portalUrl: 'https://portal.example',
  machineApiUrl: 'https://machine.example/v1',
  developmentMailbox: false,
  developmentCa: false,
  developmentReceiver: null,
  supportContact: { url: 'mailto:support@portal.example', text: 'support@portal.example' },
  creditBadgeIntegrity: 'sha384-x',
};
