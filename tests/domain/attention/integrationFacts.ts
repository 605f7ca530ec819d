import type {
  CertificateFacts,
  ClientFacts,
  EndpointFacts,
  IntegrationFacts,
} from '../../../server/domain/attention/facts/IntegrationFacts.ts';
import { type DeletionCounts, noDeletions } from '../../../server/domain/sharing/deletion/deletionCounts.ts';
import type { MailDetails, MailKind } from '../../../server/domain/notification/mailKinds.ts';
import { textOfMail } from '../../../server/domain/notification/textOfMail.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** The moment at which all these facts were read. */
const asOf = new Date('2026-11-23T09:14:00.000Z');

/** So many milliseconds before that moment, or, if negative, after it. */
export function before(milliseconds: number): Date {
  return new Date(asOf.getTime() - milliseconds);
}

/** A certificate in use with 60 days left. */
export function certificateFacts(other: Partial<CertificateFacts> = {}): CertificateFacts {
  return {
    id: 'crt_1',
    status: 'issued',
    usableUntil: before(-60 * day),
    issuedAt: before(30 * day),
    lastUsedAt: before(60_000),
    ...other,
  };
}

/** An endpoint to which everything is delivered. */
export function endpointFacts(other: Partial<EndpointFacts> = {}): EndpointFacts {
  return {
    id: 'whk_1',
    url: 'https://hooks.example/',
    status: 'active',
    statusChangedAt: before(day),
    pausedBy: null,
    failuresInRow: 0,
    failingSince: null,
    failsUnheld: false,
    held: 0,
    dead: 0,
    deadFor: [],
    lastFailure: null,
    retried: false,
    deadLetter: null,
    ...other,
  };
}

/** A client whose back end works. */
export function clientFacts(environment: ClientFacts['environment'], other: Partial<ClientFacts> = {}): ClientFacts {
  return {
    id: `cli_${environment}`,
    environment,
    maySync: true,
    hasAcknowledgeScope: true,
    lastRequestAt: before(4 * 60_000),
    lastSyncAt: before(4 * 60_000),
    refusedSync: null,
    lastRefusal: null,
    refusedFor: [],
    calledSince: null,
    certificates: [certificateFacts()],
    requests: 12,
    refused: 0,
    refusedCertificates: 0,
    refusedBefore: 0,
    quotas: [{ name: 'hour', limit: 600, left: 570 }],
    deletions: noDeletions,
    deliveries: { endpoints: other.endpoints?.length ?? 0, lastSuccessAt: before(60_000) },
    endpoints: [],
    ...other,
  };
}

/** An active integration in which everything works. */
export function integrationFacts(other: Partial<IntegrationFacts> = {}): IntegrationFacts {
  return {
    asOf,
    id: 'int_1',
    slug: 'tracker',
    publicName: 'Tracker',
    status: 'active',
    statusChangedAt: before(3 * day),
    statusReason: null,
    suspendedFor: null,
    gateOpen: true,
    gateChangedAt: before(2 * day),
    cadenceMinutes: 15,
    corpus: 'ready',
    review: null,
    sandbox: clientFacts('sandbox'),
    production: clientFacts('production'),
    ...other,
  };
}

/** What differs for the production client, or for that of the sandbox. */
export const inProduction = (client: Partial<ClientFacts>): Partial<IntegrationFacts> => ({
  production: clientFacts('production', client),
});
export const inSandbox = (client: Partial<ClientFacts>): Partial<IntegrationFacts> => ({ sandbox: clientFacts('sandbox', client) });

/** Three deletions, the first in two days; and the same with one of them overdue. */
export const due: DeletionCounts = { ...noDeletions, outstandingCount: 3, dueCount: 3, nextDeadlineAt: before(-2 * day) };
export const overdue: DeletionCounts = { ...due, overdueCount: 1, overdueSince: before(hour) };

/** The mail of this kind about an integration of this name. */
export const mailed = <Kind extends MailKind>(kind: Kind, details: MailDetails[Kind]) =>
  textOfMail(kind, { details, token: null, code: null, contact: 'us', integration: { name: 'Tracker', slug: 'tracker' } });
export const endsAt = asOf.toISOString();
