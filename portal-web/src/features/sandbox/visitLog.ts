import type { PublishedStatistics, SandboxChange, SandboxRevocation } from './sandboxMutations.ts';

/** One thing that the reader let happen, and what a back end will see of it. */
export type Happening = { what: string; sync: string[] };
/** The same with its moment; the latest comes first in a log. */
export type LogEntry = Happening & { key: number; at: string };

/** How many records are named one by one; the rest is counted. */
const named = 5;

/** What a sync shows of changes in the simulator. */
export function advanced(changes: readonly SandboxChange[]): Happening {
  const [first] = changes;
  const what =
    changes.length === 1 && first
      ? `${typeWord(first.type)} ${first.resourceId}: ${step(first)}`
      : `${changes.length} shared resources went on to the next step of their life`;
  return { what, sync: changed(changes) };
}

/** What a sync shows of another shipping event. */
export function shipped(changes: readonly SandboxChange[], kind: string): Happening {
  return { what: `A shipping event was added: ${kind}`, sync: changed(changes) };
}

/** What a client sees of a revoked resource. */
export function resourceRevoked(resourceId: string, { revocationId }: SandboxRevocation): Happening {
  const path = resourceId.startsWith('veh_') ? 'vehicles' : 'orders';
  return {
    what: `${resourceId} was revoked`,
    sync: [`A tombstone for ${resourceId} with the revocation ${revocationId}`, `GET /v1/${path}/${resourceId} answers 410`],
  };
}

/** What a client sees of a revoked connection. */
export function connectionRevoked(connectionId: string, liveResources: number, { revocationId }: SandboxRevocation): Happening {
  const resources = liveResources === 0 ? '' : `${count(liveResources, 'tombstone')} for its resources, then `;
  return {
    what: `${connectionId} was revoked`,
    sync: [`${capital(resources)}${resources ? 'one' : 'One tombstone'} for the connection itself, with the revocation ${revocationId}`],
  };
}

/** What a client sees of a new generation. */
export function published({ generationId, groupCount, alteredCount }: PublishedStatistics): Happening {
  const altered =
    alteredCount === 0
      ? 'No value differs from before: fewer than 20 users have changed in each group.'
      : `${count(alteredCount, 'group')} differ${alteredCount === 1 ? 's' : ''} from before.`;
  return {
    what: 'A statistics generation was published',
    sync: ['Nothing in the sync', `GET /v1/statistics/orders answers ${generationId} with ${count(groupCount, 'group')}. ${altered}`],
  };
}

/** What a client sees once new synthetic data is ready. */
export function regenerated(generation: number): Happening {
  return {
    what: `Generation ${generation} of the synthetic data was asked for`,
    sync: [
      'When it is ready, your stored cursor answers 400 invalid_cursor: start a recovery sync without updated_since',
      'Old identifiers answer 404. Delete whatever the recovery sync does not bring.',
    ],
  };
}

/** What a client sees of a code that it redeemed. */
export function redeemed(connectionId: string, resources: number): Happening {
  return {
    what: `Your back end redeemed the link code: ${connectionId}`,
    sync: [`${count(resources, 'upsert')} at revision 1 or higher, all with this connection_id`],
  };
}

function changed(changes: readonly SandboxChange[]): string[] {
  const shown = changes.filter((change) => change.shown);
  const hidden = changes.length - shown.length;
  return [
    ...shown.slice(0, named).map((change) => `An upsert of ${change.resourceId} at revision ${change.revision}: ${step(change)}`),
    ...(shown.length > named ? [`and ${shown.length - named} more upserts`] : []),
    ...(hidden > 0 ? [`Nothing of ${count(hidden, 'resource')}: your scopes or the consent hide this change`] : []),
  ];
}

function step({ from, to }: SandboxChange): string {
  return from === to ? `still ${from}` : `${from} → ${to}`;
}

function typeWord(type: SandboxChange['type']): string {
  return type === 'order' ? 'Order' : 'Stock vehicle';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
