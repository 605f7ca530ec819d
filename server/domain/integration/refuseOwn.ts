import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';

const refusals = {
  reviews: 'You cannot review your own integration. Ask another reviewer.',
  administers: 'You cannot administer your own integration. Ask another administrator, or use the server’s terminal.',
} as const;

/** Whether the actor is the person whose account this is. */
export function isOwnerOf({ operatorId }: { readonly operatorId: string }, actor: Actor): boolean {
  return actor.type === 'operator' && actor.operatorId === operatorId;
}

/**
 * Throws `forbidden` where somebody would review or administer their own integration (docs/specification.md, “Roles”). Every reviewers' and
 * administrators' command that concerns one integration calls this, except for what owners may do themselves as well, such as retiring.
 * The integration need not be locked, because its owner never changes.
 */
export function refuseOwn(integration: { readonly operatorId: string }, actor: Actor, does: keyof typeof refusals): void {
  if (!isOwnerOf(integration, actor)) return;
  throw new DomainError('forbidden', { detail: refusals[does] });
}
