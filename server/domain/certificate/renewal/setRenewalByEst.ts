import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { refuseByStatus } from '../request/placeRequest.ts';
import { record } from '../../audit/record.ts';
import { Client } from '../../client/Client.ts';
import { lockOwnClient } from '../../client/lockOwnClient.ts';
import type { OperatorActor } from '../../shared/actor.ts';

type SetRenewalByEst = { readonly actor: OperatorActor; readonly clientId: string; readonly enabled: boolean; readonly now: Date };

/**
 * Lets the back end of one of the actor's clients renew its certificates through EST, or stops that (docs/specification.md, “Renewal
 * without a person”). It applies from the next request on. Setting what is already set changes nothing. Errors: not_found, conflict (it
 * gets no certificates), rate_limit_exceeded.
 */
export function setRenewalByEst(em: EntityManager, { actor, clientId, enabled, now }: SetRenewalByEst): Promise<Client> {
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    const locked = await lockOwnClient(tx, actor, clientId);
    const { number, integrationId, environment } = locked;
    if (enabled) refuseByStatus(locked, 'renewals');
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
