import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { emailKey } from '../account/emailAddress.ts';
import { Operator } from '../account/Operator.ts';
import { record } from '../audit/record.ts';
import { roles, type Actor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';

/** Whose role (by the account's address) and which. */
export type RoleChange = { readonly email: string; readonly role: string; readonly now: Date };

/** What granting and withdrawing have in common: the account's row is locked, and only a real change enters the audit trail. */
export function changeRole(
  em: EntityManager,
  { actor, action, email, role: name, now }: { actor: Actor; action: 'role.granted' | 'role.withdrawn' } & RoleChange,
): Promise<'changed' | 'unchanged'> {
  const role = roles.find((known) => known === name);
  if (!role) refuseInvalid([{ path: 'input.role', message: `The roles are: ${roles.join(', ')}.` }]);
  return em.transactional(async (tx) => {
    const account = { emailKey: emailKey(email.trim()), deletedAt: null };
    const operator = await tx.findOne(Operator, account, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!operator) {
      throw new DomainError('not_found', { detail: 'No account has this address. Its owner registers in the portal first.' });
    }
    const next = roles.filter((known) => (known === role ? action === 'role.granted' : operator.roles.includes(known)));
    if (next.length === operator.roles.length) return 'unchanged';
    operator.roles = next;
    await record(tx, actor, now, {
      action,
      subject: { type: 'operator', id: operator.id },
      operatorId: operator.id,
      details: { role: name },
    });
    return 'changed';
  });
}
