import { shownCertificateStatus, type CertificateStatus } from '../certificate/certificateStatus.ts';
import type { Environment } from '../shared/environment.ts';
import type { IdPrefix } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { usageLimits } from '../usage/usageLimits.ts';
import { linkCodeLifecycle } from '../sharing/linkCodeStatus.ts';
import { revocationLifecycle } from '../sharing/revocationStatus.ts';
import type { SearchHitKind } from './searchHit.ts';

/** A row with its integration, and with whatever else tells the state of its kind. */
export type OwnedRow = {
  readonly id: string;
  readonly environment?: Environment;
  readonly name?: string | null;
  readonly status?: string | null;
  readonly slug: string;
  readonly publicName: string;
  readonly own: boolean;
  readonly endpointId?: string | null;
  /** The delivery of an event. */
  readonly deliveryId?: string | null;
  readonly integrationId: string;
  /** What tells the state of those that have one. */
  readonly usableUntil?: Date | null;
  readonly revokedBy?: string | null;
  readonly acknowledgedAt?: Date | null;
  readonly deletionDeadlineAt?: Date;
  readonly fixture?: boolean;
  readonly redeemedAt?: Date | null;
  readonly cancelledAt?: Date | null;
  readonly failedAttempts?: number;
  readonly expiresAt?: Date;
};

/**
 * Statements that find things by identifiers or by what stands on a certificate. `$1` and `$2` are the first and the last identifier (or both
 * the digits), `$3` is the operator who looks, `$4` whether they may see everybody’s; for a log `$5` and `$6` are the times between which it is read.
 * Each reads a range of an index: the primary key, the unique key of the identifier, or, for what is kept by client, one range for each
 * client of those in question.
 */
export type OwnedSearch = {
  readonly kind: SearchHitKind;
  /** Who may see everybody’s; their owner always sees their own. */
  readonly staff: readonly ('administrator' | 'reviewer')[];
  readonly text: string;
  /** How long it is kept, for what is read by time as well. */
  readonly kept?: number;
  /** Where it is more than the column `status`. */
  readonly stateOf?: (row: OwnedRow, now: Date) => string;
};

const most = limits.hitsOfOneKind;

/** The name of an integration `i` in its latest profile. */
const publicName = `(select v.public_name from profile_version v where v.integration_id = i.id and v.version = i.profile_version)`;

const ofClient = 'join client k on k.number = x.client_number join integration i on i.id = k.integration_id';

/** The rows of one kind, each with its integration. */
function owned(columns: string, from: string, range: string): string {
  return `
select ${columns}, i.id as "integrationId", i.slug, ${publicName} as "publicName", i.operator_id = $3 as own
  from ${from} where ${range} and ($4::boolean or i.operator_id = $3) limit ${most}`;
}

/** What is kept by client has no index by its identifier alone: one range of the primary key for each client. */
function byClient(columns: string, table: string, range: string): string {
  const each = `cross join lateral (select * from ${table} t where t.client_number = k.number and ${range} limit ${most}) x`;
  return owned(columns, `integration i join client k on k.integration_id = i.id ${each}`, 'true');
}

const certificateState = ({ status, usableUntil }: OwnedRow, now: Date): string =>
  shownCertificateStatus({ status: status as CertificateStatus, usableUntil: usableUntil ?? null }, now);
const sharedState = ({ revokedBy }: OwnedRow): string => (revokedBy ? 'revoked' : 'shared');

const between = (column: string) => `${column} between $1 and $2`;

const certificate = 'x.id, k.environment, x.key_name as name, x.status, x.usable_until as "usableUntil"';
const certificates = `certificate x ${ofClient}`;
const resource = (type: 'order' | 'vehicle') =>
  byClient('x.id, k.environment, x.revocation_id as "revokedBy"', 'shared_resource', `t.type = '${type}' and ${between('t.id')}`);

export const searchesById: Readonly<Partial<Record<IdPrefix, OwnedSearch>>> = {
  cli: {
    kind: 'client',
    staff: ['administrator'],
    text: owned('k.id, k.environment', 'client k join integration i on i.id = k.integration_id', between('k.id')),
  },
  crt: {
    kind: 'certificate',
    staff: ['administrator'],
    text: owned(certificate, certificates, between('x.id')),
    stateOf: certificateState,
  },
  con: {
    kind: 'connection',
    staff: ['administrator'],
    text: owned('x.id, k.environment, x.revocation_id as "revokedBy"', `connection x ${ofClient}`, between('x.id')),
    stateOf: sharedState,
  },
  ord: { kind: 'order', staff: ['administrator'], text: resource('order'), stateOf: sharedState },
  veh: { kind: 'vehicle', staff: ['administrator'], text: resource('vehicle'), stateOf: sharedState },
  rev: {
    kind: 'revocation',
    staff: ['administrator'],
    text: byClient(
      'x.id, k.environment, x.acknowledged_at as "acknowledgedAt", x.deletion_deadline_at as "deletionDeadlineAt", x.fixture',
      'revocation',
      between('t.id'),
    ),
    stateOf: ({ acknowledgedAt, deletionDeadlineAt, fixture }, now) =>
      revocationLifecycle.stateOf({ acknowledgedAt, deletionDeadlineAt, fixture }, now),
  },
  req: {
    kind: 'request',
    staff: ['administrator'],
    text: owned(
      'x.request_id as id, k.environment, x.route as name, x.status::text as status',
      `request_log x ${ofClient}`,
      `${between('x.request_id')} and x.occurred_at >= $5 and x.occurred_at < $6`,
    ),
    kept: usageLimits.requestLogKept,
  },
  evt: {
    kind: 'event',
    staff: ['administrator'],
    text: owned(
      'x.id, k.environment, x.type as name, d.id as "deliveryId", d.state as status, p.id as "endpointId"',
      `webhook_event x left join webhook_delivery d on d.event_id = x.id left join webhook_endpoint p on p.number = d.endpoint_number ${ofClient}`,
      between('x.id'),
    ),
  },
  dlv: {
    kind: 'delivery',
    staff: ['administrator'],
    text: owned(
      'x.id, k.environment, x.type as name, x.state as status, p.id as "endpointId"',
      `webhook_delivery x join webhook_endpoint p on p.number = x.endpoint_number join client k on k.number = p.client_number join integration i on i.id = k.integration_id`,
      between('x.id'),
    ),
  },
  // Path and query may hold a secret, so only its owner finds them.
  whk: {
    kind: 'endpoint',
    staff: ['administrator'],
    text: owned(
      `x.id, k.environment, x.status, case when i.operator_id = $3 then x.url else substring(x.url from '^https?://[^/?#]+') end as name`,
      `webhook_endpoint x ${ofClient}`,
      between('x.id'),
    ),
  },
  // The codes of production are their users’ and the order-tracking service’s, so nobody finds one here.
  lnk: {
    kind: 'link_code',
    staff: ['administrator'],
    text: owned(
      'x.id, k.environment, x.redeemed_at as "redeemedAt", x.cancelled_at as "cancelledAt", x.failed_attempts as "failedAttempts", x.expires_at as "expiresAt"',
      `link_code x ${ofClient}`,
      `${between('x.id')} and k.environment = 'sandbox'`,
    ),
    stateOf: ({ redeemedAt, cancelledAt, failedAttempts, expiresAt }, now) =>
      linkCodeLifecycle.stateOf({ redeemedAt, cancelledAt, failedAttempts, expiresAt }, now),
  },
  sub: {
    kind: 'submission',
    staff: ['administrator', 'reviewer'],
    text: owned(
      `x.id, x.status, 'Submission ' || x.round as name`,
      'review_submission x join integration i on i.id = x.integration_id',
      between('x.id'),
    ),
  },
  bmr: {
    kind: 'report',
    staff: ['administrator', 'reviewer'],
    text: owned('x.id', 'business_model_report x join integration i on i.id = x.integration_id', between('x.id')),
  },
  agr: {
    kind: 'agreement',
    staff: ['administrator'],
    text: owned('x.id, x.reference as name', 'commercial_agreement x join integration i on i.id = x.integration_id', between('x.id')),
  },
};

/** Certificates by their fingerprint, or by their serial (`$1`). */
export const certificatesByDigits: OwnedSearch = {
  kind: 'certificate',
  staff: ['administrator'],
  text: owned(certificate, certificates, '(x.fingerprint_sha256 between $1 and $2 or x.serial between $1 and $2)'),
  stateOf: certificateState,
};

/** Accounts by their identifier. Without the role `$4`, only the reader’s own (`$3`). */
export const operatorsById = `
select o.id, o.email as name, o.locked_at as "lockedAt", o.deleted_at as "deletedAt" from operator o
 where o.id between $1 and $2 and ($4::boolean or o.id = $3) limit ${most}`;

/** Accounts by part of their address (`$1`), by index operator_address_words. For administrators only. */
export const operatorsByAddress = `
select o.id, o.email as name, o.locked_at as "lockedAt", o.deleted_at as "deletedAt" from operator o
 where o.email_key like $1 order by o.email_key limit ${most}`;

/** Service tokens by their identifier. For administrators only. */
export const tokensById = `
select t.id, t.name, t.environment, t.expires_at as "expiresAt", t.revoked_at as "revokedAt" from service_token t where t.id between $1 and $2 limit ${most}`;
