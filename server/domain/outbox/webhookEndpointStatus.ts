import { type Known, namesOf, statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { webhookEndpointFacts } from './webhookEndpointFacts.ts';

export type WebhookEndpointStatus = Known<keyof typeof webhookEndpointFacts>;
export const webhookEndpointStatuses = namesOf(webhookEndpointFacts);

/** Endpoints that still exist for their owner. */
export const presentEndpointStatuses = webhookEndpointStatuses.filter((status) => webhookEndpointFacts[status].receives !== 'never');

const pause = ['pausedBy', 'pauseReason', 'statusChangedAt'] as const;

/** Every change of an endpoint's status; nothing else writes it. */
export const webhookEndpointTransitions = {
  registerWebhookEndpoint: { from: [], to: 'registered', by: ['owner'], sets: ['slot', 'createdAt', 'createdBy', 'statusChangedAt'] },
  /** The ownership challenge has been answered. */
  proveWebhookEndpoint: { from: ['registered'], to: 'active', by: ['service'], sets: ['provenAt', 'firstProvenAt', 'statusChangedAt'] },
  /** It was asked for again, although the present URL is proven. */
  proveAgain: { from: ['active', 'paused'], to: ['active', 'paused'], by: ['service'], sets: ['provenAt'] },
  /** Another URL or environment, which has to be proven. */
  moveWebhookEndpoint: {
    from: presentEndpointStatuses,
    to: 'registered',
    by: ['owner'],
    sets: ['provenAt', 'firstProvenAt', ...pause],
  },
  pauseWebhookEndpoint: { from: ['active'], to: 'paused', by: ['owner'], sets: pause },
  resumeWebhookEndpoint: { from: ['paused'], to: 'active', by: ['owner'], sets: pause },
  /** With a reason for its owner. It takes the place of the owner's pause, if there is one. */
  pauseAnyWebhookEndpoint: { from: ['active', 'paused'], to: 'paused', by: ['administrator'], sets: pause },
  resumeAnyWebhookEndpoint: { from: ['paused'], to: 'active', by: ['administrator'], sets: pause },
  /** By its owner, or with its integration. */
  removeWebhookEndpoint: {
    from: presentEndpointStatuses,
    to: 'removed',
    by: ['owner', 'administrator'],
    sets: ['slot', 'removedAt', 'statusChangedAt'],
  },
} as const satisfies TransitionTable<WebhookEndpointStatus>;

export const webhookEndpointLifecycle = statusLifecycle('webhook_endpoint', webhookEndpointFacts, webhookEndpointTransitions);

/** SQL: whether its owner still has the endpoint `row`. In a status that only a later release knows, they have. */
export function isPresent(row?: string): string {
  return `not ${webhookEndpointLifecycle.where(({ receives }) => receives === 'never', { row })}`;
}

/** SQL: whether deliveries go to the endpoint `row`. */
export function receivesNow(row?: string): string {
  return webhookEndpointLifecycle.where(({ receives }) => receives === 'yes', { row });
}

/** SQL: whether events are stored for an endpoint: it has been proven once, whatever has become of its URL since. */
export const receivesEvents = `first_proven_at is not null and ${isPresent()}`;
