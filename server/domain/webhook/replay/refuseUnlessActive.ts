import { DomainError } from '../../shared/DomainError.ts';
import type { WebhookEndpointStatus } from '../../outbox/webhookEndpointStatus.ts';

const reasons: Readonly<Record<Exclude<WebhookEndpointStatus, 'active'>, string>> = {
  registered: 'has not proven its URL yet. Run the ownership challenge first.',
  paused: 'is paused. Resume it first.',
  removed: 'has been removed.',
};

/** What is sent to an endpoint at its owner's wish needs an active one. Errors: conflict. */
export function refuseUnlessActive({ status }: { readonly status: WebhookEndpointStatus }): void {
  if (status !== 'active') throw new DomainError('conflict', { detail: `This endpoint ${reasons[status]}` });
}
