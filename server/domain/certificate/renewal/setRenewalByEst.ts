import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { isOver } from '../../integration/integrationStatus.ts';
import { record } from '../../audit/record.ts';
import { Client } from '../../client/Client.ts';
import { lockOwnClient } from '../../client/lockOwnClient.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';

type SetRenewalByEst = { readonly actor: OperatorActor; readonly clientId: string; readonly enabled: boolean; readonly now: Date };

/**
 * Lets the back end of one of the actor's clients renew its certificates through EST, or stops that (docs/specification.md, “Renewal
 * without a person”). It applies from the next request on. Setting what is already set changes nothing. Errors: not_found, conflict (a
 * retired integration gets no certificates), rate_limit_exceeded.
 */
export function setRenewalByEst(em: EntityManager, { actor, clientId, enabled, now }: SetRenewalByEst): Promise<Client> {
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    const { number, integrationId, integrationStatus, environment } = await lockOwnClient(tx, actor, clientId);
    if (enabled && isOver(integrationStatus)) {
      throw new DomainError('conflict', { detail: 'A retired integration cannot get certificates, so there is nothing to renew.' });
    }
    const client = await tx.findOneOrFail(Client, { number }, { refresh: true });
    if (client.renewalByEst === enabled) return client;
    client.renewalByEst = enabled;
    await record(tx, actor, now, {
      action: enabled ? 'client.renewal_switched_on' : 'client.renewal_switched_off',
      subject: { type: 'client', id: clientId },
      integrationId,
      details: { environment },
    });
    return client;
  });
}
