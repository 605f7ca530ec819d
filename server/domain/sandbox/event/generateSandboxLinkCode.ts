import { readScopes } from '../../shared/scopes.ts';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { limits } from '../../shared/limits.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { issueLinkCode, type IssuedLinkCode } from '../../sharing/link-code/issueLinkCode.ts';
import type { SharingClient } from '../../sharing/sharingClient.ts';
import { consentErrors, inSequence, participationErrors, refuseUnlessSharable, scopeNameErrors } from '../../sharing/sharingRules.ts';
import type { ResourceType } from '../../tracking/allowlist.ts';
import { corpusLifecycle, isUnderWay } from '../corpusStatus.ts';
import { ownSandbox } from '../ownSandbox.ts';
import { SandboxCorpus } from '../SandboxCorpus.ts';
import { countSandboxAction } from './countSandboxAction.ts';
import { refuseFull } from './refuseFull.ts';
import { corpusFacts } from '../corpusFacts.ts';

type GenerateSandboxLinkCode = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  /** How many orders and stock vehicles the code shares, 1 to 500 together. */
  readonly orders: number;
  readonly vehicles: number;
  /** What the test user consents to. If null, everything that the client may have. */
  readonly scopes: readonly string[] | null;
  readonly statisticsOptedIn: boolean;
  readonly lookupKeys: LookupKeys;
  readonly now: Date;
};

/** Any of the sandbox's resources, unlocked (index tracked_resource_synthetic). */
const pickSql = `
select id from tracked_resource where synthetic_for = $1 and type = $2 and withdrawn_at is null order by random() limit $3`;

/** Both types are in one order, so that a new corpus that removes them either waits or has already removed them. */
const pinSql = locking(
  'trackedResource',
  'key share',
  (clause) => `select id from tracked_resource where id = any($1::bigint[]) and withdrawn_at is null order by id ${clause}`,
);

/**
 * Creates a link code for a new test user over resources of the sandbox corpus, so that linking can be tried without anybody's data
 * (docs/specification.md, “Simulator”). The code is returned once. Errors: not_found, invalid_request by field, conflict (retired; no
 * corpus yet, or one being built; the sandbox is full), rate_limit_exceeded.
 */
export function generateSandboxLinkCode(em: EntityManager, input: GenerateSandboxLinkCode): Promise<IssuedLinkCode> {
  const { actor, clientId, lookupKeys, statisticsOptedIn, now } = input;
  return em.transactional(async (tx) => {
    const client = await ownSandbox(tx, actor, clientId);
    refuseUnlessSharable(client);
    const consented = input.scopes ?? client.grantableScopes;
    const wanted = { order: input.orders, vehicle: input.vehicles };
    refuseInvalid([
      ...scopeNameErrors(consented),
      ...consentErrors(consented, client),
      ...numberErrors(wanted, consented),
      ...participationErrors('input.statisticsOptedIn', statisticsOptedIn, client),
    ]);
    await countSandboxAction(tx, client.number, now);
    await refuseWhileBuilding(tx, client.number, now);
    await refuseFull(tx, client.number, wanted.order + wanted.vehicle, now);
    const scopes = inSequence(consented);
    const orders = await pick(tx, client, 'order', wanted.order);
    const vehicles = await pick(tx, client, 'vehicle', wanted.vehicle);
    const trackedResourceIds = await pin(tx, [...orders, ...vehicles]);
    const issued = await issueLinkCode(tx, {
      client,
      userRef: randomBytes(32),
      trackedResourceIds,
      scopes,
      statisticsOptedIn,
      profileVersion: client.profileVersion,
      lookupKeys,
      now,
    });
    await record(tx, actor, now, {
      action: 'sandbox_link_code.generated',
      subject: { type: 'link_code', id: issued.id },
      integrationId: client.integrationId,
      details: { orders: orders.length, vehicles: vehicles.length, scopes: scopes.join(' '), statisticsOptedIn },
    });
    return issued;
  });
}

const inputs = {
  order: { path: 'input.orders', words: 'orders' },
  vehicle: { path: 'input.vehicles', words: 'stock vehicles' },
} as const;

function numberErrors(wanted: Readonly<Record<ResourceType, number>>, scopes: readonly string[]): FieldError[] {
  const total = wanted.order + wanted.vehicle;
  const errors = (['order', 'vehicle'] as const).flatMap((type): FieldError[] => {
    const { path, words } = inputs[type];
    if (wanted[type] < 0) return [{ path, message: `The number of ${words} cannot be negative.` }];
    if (wanted[type] === 0 || scopes.includes(readScopes[type])) return [];
    return [{ path, message: `Sharing ${words} needs the scope ${readScopes[type]} in the consent.` }];
  });
  if (errors.length > 0 || (total >= 1 && total <= limits.resourcesPerShare)) return errors;
  return [{ path: 'input.orders', message: `A link code shares 1 to ${limits.resourcesPerShare} orders and stock vehicles together.` }];
}

async function refuseWhileBuilding(tx: EntityManager, clientNumber: number, now: Date): Promise<void> {
  const corpora = await tx.find(SandboxCorpus, { clientNumber }, { orderBy: { generation: 'desc' }, disableIdentityMap: true });
  const [last] = corpora;
  if (last && isUnderWay(last, now)) {
    throw new DomainError('conflict', {
      detail: 'The test data is being generated, which would invalidate a code generated now. Wait until the data is ready.',
    });
  }
  if (!corpora.some((corpus) => corpusFacts[corpusLifecycle.stateOf(corpus, now)].isReady)) {
    throw new DomainError('conflict', { detail: 'This sandbox has no test data yet. Generate it first.' });
  }
}

async function pick(tx: EntityManager, client: SharingClient, type: ResourceType, count: number): Promise<string[]> {
  if (count === 0) return [];
  const rows = await sql<{ id: string }>(tx, pickSql, [client.number, type, count]);
  const { path, words } = inputs[type];
  refuseInvalid(rows.length === count ? [] : [{ path, message: `This sandbox has ${rows.length} ${words}.` }]);
  return rows.map(({ id }) => id);
}

async function pin(tx: EntityManager, ids: readonly string[]): Promise<string[]> {
  const rows = await takeLock<{ id: string }>(tx, pinSql, [ids]);
  if (rows.length === ids.length) return rows.map(({ id }) => id);
  throw new DomainError('conflict', { detail: 'The test data has just been regenerated. Generate the code again.' });
}
