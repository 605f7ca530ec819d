import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.ts';
import { changeRole, type RoleChange } from './changeRole.ts';

/** Gives an account a role besides that of operator; its next request has it. Errors: invalid_request, not_found. */
export function grantRole(em: EntityManager, change: { actor: Actor } & RoleChange): Promise<'changed' | 'unchanged'> {
  return changeRole(em, { ...change, action: 'role.granted' });
}
