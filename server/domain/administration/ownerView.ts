import type { EntityManager } from '@mikro-orm/postgresql';
import { isUsedUp, takeFirst } from '../account/attempts.ts';
import { record } from '../audit/record.ts';
import { isOwnerOf } from '../integration/refuseOwn.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { anyIntegration } from './allIntegrations.ts';

/** An integration whose pages an administrator looks at as its owner sees them. */
export type OwnerView = { readonly integrationId: string; readonly slug: string; readonly operatorId: string };

type Look = { readonly actor: OperatorActor; readonly slug: string; readonly now: Date };

/**
 * Lets an administrator look at an integration’s pages as its owner sees them. One line of the trail stands for a visit of half an hour,
 * and its owner sees it. The administrator keeps their own session, and a request says whose eyes it is answered with: a session that acts
 * as somebody else would have to be kept from changing anything in every place. Errors: forbidden (no administrator, their own), not_found.
 */
export async function lookAsOwner(em: EntityManager, { actor, slug, now }: Look): Promise<OwnerView> {
  if (!actor.roles.includes('administrator'))
    throw new DomainError('forbidden', { detail: 'Only administrators look at pages as their owner.' });
  const integration = await anyIntegration(em, slug);
  if (isOwnerOf(integration, actor)) throw new DomainError('forbidden', { detail: 'This integration is yours. Open its own pages.' });
  const { id: integrationId, operatorId } = integration;
  const visit = { kind: 'owner_view', source: `${actor.operatorId} ${integrationId}` } as const;
  // Most requests belong to a visit that is on record. They write nothing, so they also work while the database can only be read.
  if (await isUsedUp(em, visit, now)) return { integrationId, slug, operatorId };
  await em.transactional(async (tx) => {
    if (!(await takeFirst(tx, visit, now))) return;
    await record(tx, actor, now, {
      action: 'integration.viewed_as_owner',
      subject: { type: 'integration', id: integrationId },
      operatorId,
      integrationId,
    });
  });
  return { integrationId, slug, operatorId };
}

/** Who has an identifier that a query names. By primary and unique keys. */
const owners = {
  clientId: 'select integration_id as id from client where id = $1',
  endpointId: 'select integration_id as id from webhook_endpoint where id = $1',
  deliveryId:
    'select p.integration_id as id from webhook_delivery d join webhook_endpoint p on p.number = d.endpoint_number where d.id = $1',
} as const;

/** The argument of a query that names what it is about, and what it names. */
type Names = { readonly argument: string; readonly names: 'slug' | keyof typeof owners } | null;

const bySlug: Names = { argument: 'slug', names: 'slug' };
const byClient: Names = { argument: 'clientId', names: 'clientId' };

/**
 * The queries that owners’ pages consist of. Everything else is out of reach of someone who looks as the owner: the owner’s account and trail, other integrations,
 * signed samples, and all that changes anything.
 */
const ownersQueries: Readonly<Record<string, Names>> = {
  service: null,
  currentTerms: null,
  terms: null,
  reviewChecklist: null,
  reviewTimes: null,
  scopeAdvice: null,
  integration: bySlug,
  profileVersions: bySlug,
  profileDiff: bySlug,
  revocations: bySlug,
  deletionsToRecord: bySlug,
  ownSubmissions: bySlug,
  certificates: byClient,
  usage: byClient,
  requests: byClient,
  sandbox: byClient,
  sandboxResources: byClient,
  sandboxNextSync: byClient,
  sandboxShares: byClient,
  sandboxLinkCodes: byClient,
  webhookEndpoint: { argument: 'id', names: 'endpointId' },
  webhookDelivery: { argument: 'id', names: 'deliveryId' },
  replayCount: { argument: 'endpointId', names: 'endpointId' },
  waitingCount: { argument: 'endpointId', names: 'endpointId' },
};

/** Throws unless a query belongs to the owner’s pages and names nothing but the integration that is looked at. Errors: forbidden, not_found. */
export async function refuseUnlessOwnersQuery(
  em: EntityManager,
  { integrationId, slug }: OwnerView,
  query: string,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!Object.hasOwn(ownersQueries, query)) throw new DomainError('forbidden', { detail: `Nobody but the owner may ask for ${query}.` });
  const named = ownersQueries[query] ?? null;
  if (named === null) return;
  const value = given[named.argument];
  const owner = named.names === 'slug' ? null : (await sql<{ id: string }>(em, owners[named.names], [value]))[0]?.id;
  if (named.names === 'slug' ? value === slug : owner === integrationId) return;
  throw new DomainError('not_found', { detail: 'This belongs to another integration than the one that you look at.' });
}
