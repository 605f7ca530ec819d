import type { EntityManager } from '@mikro-orm/postgresql';
import { clientScopeBits, readBit } from '../../feed/visibleSql.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { latestGenerations } from '../../statistics/latestGeneration.sql.ts';
import { eventTypeFacts } from '../../outbox/eventTypeFacts.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';

/** What an event about something in a sandbox refers to. What its type does not have is null. */
export type SandboxFixture = {
  readonly connectionId: string | null;
  readonly resource: { readonly id: string; readonly type: 'order' | 'vehicle' } | null;
  readonly revocationId: string | null;
  readonly deletionDeadlineAt: Date | null;
  readonly generationId: string | null;
};

const nothing: SandboxFixture = { connectionId: null, resource: null, revocationId: null, deletionDeadlineAt: null, generationId: null };

/**
 * The resource of the client’s test data, of one of these types if there are any, that changed last. By the feed's index on position, which
 * most of a sandbox's rows satisfy.
 */
const shareSql = `
select s.id, s.type, s.connection_id as "connectionId"
  from client c join shared_resource s on s.client_number = c.number join tracked_resource t on t.id = s.tracked_resource_id and t.synthetic_for = s.client_number
 where c.number = $1 and ($2::text[] = '{}' or s.type = any ($2)) and s.revocation_id is null and (s.consented & ${clientScopeBits} & ${readBit('s.type')}) <> 0
 order by s.position desc limit 1`;

/**
 * The newest revocation of a resource of one of these types or, without types, of a whole connection: never one for the other. A sandbox
 * holds 5,000 shares at most.
 */
const revocationSql = `
select r.id, r.connection_id as "connectionId", r.deletion_deadline_at as deadline, s.id as "resourceId", s.type
  from revocation r left join shared_resource s on s.client_number = r.client_number and s.id = r.subject_id and r.subject_type = 'resource'
 where r.client_number = $1 and case when $2::text[] = '{}' then r.subject_type = 'connection' else s.type = any ($2) end
 order by r.revoked_at desc, r.id limit 1`;

const generationSql = `
select g.id from client c cross join lateral (${latestGenerations('id', 'c.number')}) g
 where c.number = $1 and 'statistics.orders.read' = any (c.scopes)`;

/**
 * Something in the client's sandbox that an event of this type can be about, so that a back end that follows it up finds it. Errors:
 * conflict, if there is nothing of the kind.
 */
export async function sandboxFixture(em: EntityManager, clientNumber: number, type: WebhookEventType): Promise<SandboxFixture> {
  const { resourceTypes } = eventTypeFacts[type];
  const whole = resourceTypes.length === 0;
  switch (type) {
    case 'connection.created':
    case 'resource.granted':
    case 'resource.updated': {
      const [share] = await sql<{ id: string; type: 'order' | 'vehicle'; connectionId: string }>(em, shareSql, [
        clientNumber,
        resourceTypes,
      ]);
      if (!share) return refuse('no order or vehicle that is shared and visible. Wait for the test data, or regenerate it');
      const resource = whole ? null : { id: share.id, type: share.type };
      return { ...nothing, connectionId: share.connectionId, resource };
    }
    case 'resource.revoked':
    case 'connection.revoked': {
      type Row = { id: string; connectionId: string; deadline: Date; resourceId: string | null; type: 'order' | 'vehicle' | null };
      const [found] = await sql<Row>(em, revocationSql, [clientNumber, resourceTypes]);
      if (!found)
        return refuse(
          whole
            ? 'no revoked connection. Revoke a whole connection in the simulator first'
            : 'no revoked resource. Revoke a share in the simulator first',
        );
      const { id: revocationId, connectionId, deadline } = found;
      const resource = found.resourceId === null || found.type === null ? null : { id: found.resourceId, type: found.type };
      return { ...nothing, connectionId, resource, revocationId, deletionDeadlineAt: deadline };
    }
    case 'statistics.updated': {
      const [generation] = await sql<{ id: string }>(em, generationSql, [clientNumber]);
      if (!generation) return refuse('no statistics that the integration may read. Publish a generation in the simulator first');
      return { ...nothing, generationId: generation.id };
    }
    case 'integration.suspended':
      return nothing;
  }
}

function refuse(what: string): never {
  throw new DomainError('conflict', { detail: `The sandbox has ${what}.` });
}
