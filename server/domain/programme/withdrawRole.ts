import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.ts';
import { changeRole, type RoleChange } from './changeRole.ts';

/** Takes a role from an account; its next request is without it. Errors: invalid_request, not_found, conflict (the last administrator). */
export function withdrawRole(em: EntityManager, change: { actor: Actor } & RoleChange): Promise<'changed' | 'unchanged'> {
  return changeRole(em, { ...change, action: 'role.withdrawn' });
}
