import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNamedAccount, type NamedAccount } from '../account/lockNamedAccount.ts';
import { record } from '../audit/record.ts';
import { notify } from '../notification/notify.ts';
import { releaseTaken } from '../review/reviewer/releaseTaken.ts';
import { roles, type Actor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';
import { refuseLastAdministrator, refuseUnlessAdministrator } from './lastAdministrator.ts';

/** Whose role, which, and why, if the account's owner is to read that. */
export type RoleChange = NamedAccount & { readonly role: string; readonly reason?: string | null | undefined; readonly now: Date };

/**
 * What granting and withdrawing a role have in common. The account's row is locked, and only a real change enters the audit trail. Role
 * changes by administrators wait for each other, so that an administrator who has just lost the role can no longer give any. Nobody gives
 * themselves a role, and the last administrator stays one. Neither rule applies on the server's own terminal, which can name the next
 * administrator. The account's owner gets a mail. Submissions that a former reviewer had taken are left to the others.
 */
export function changeRole(
  em: EntityManager,
  { actor, action, role: name, reason, now, ...whose }: { actor: Actor; action: 'role.granted' | 'role.withdrawn' } & RoleChange,
): Promise<'changed' | 'unchanged'> {
  const role = roles.find((known) => known === name);
  if (!role) refuseInvalid([{ path: 'input.role', message: `The roles are: ${roles.join(', ')}.` }]);
  const words = reason?.trim() ? goodReason(reason) : null;
  return em.transactional(async (tx) => {
    await refuseUnlessAdministrator(tx, actor);
    const operator = await lockNamedAccount(tx, whose);
    if (!operator) {
      const detail = 'No account has this address. Its owner has to register in the portal first.';
      throw new DomainError('not_found', { detail: 'operatorId' in whose ? 'There is no such operator.' : detail });
    }
    const next = roles.filter((known) => (known === role ? action === 'role.granted' : operator.roles.includes(known)));
    if (next.length === operator.roles.length) return 'unchanged';
    if (actor.type === 'operator' && action === 'role.granted' && operator.id === actor.operatorId) {
      throw new DomainError('forbidden', { detail: 'You cannot grant yourself a role. Ask another administrator.' });
    }
    if (actor.type === 'operator' && action === 'role.withdrawn' && role === 'administrator') {
      await refuseLastAdministrator(tx, operator.id);
    }
    operator.roles = next;
    await record(tx, actor, now, {
      action,
      subject: { type: 'operator', id: operator.id },
      operatorId: operator.id,
      details: { role: name, ...(words !== null && { reason: words }) },
    });
    if (actor.type !== 'operator' || actor.operatorId !== operator.id) {
      await notify(tx, {
        kind: action === 'role.granted' ? 'role_granted' : 'role_withdrawn',
        subjectId: `${operator.id} ${name} ${now.toISOString()}`,
        operatorId: operator.id,
        details: { role: name, ...(words !== null && { reason: words }) },
        now,
      });
    }
    if (action === 'role.withdrawn' && role === 'reviewer') {
      await releaseTaken(tx, { reviewerId: operator.id, actor, because: 'role withdrawn', now });
    }
    return 'changed';
  });
}
