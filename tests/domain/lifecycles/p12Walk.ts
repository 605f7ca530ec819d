import { claimP12 } from '../../../server/domain/certificate/p12/claimP12.ts';
import { expireP12s } from '../../../server/domain/certificate/p12/expireP12s.ts';
import { failP12, makeP12 } from '../../../server/domain/certificate/p12/makeP12.ts';
import { p12Lifecycle } from '../../../server/domain/certificate/p12/package/p12Status.ts';
import { requestP12 } from '../../../server/domain/certificate/p12/requestP12.ts';
import { revokeCertificate } from '../../../server/domain/certificate/revokeCertificate.ts';
import { retireIntegration } from '../../../server/domain/programme/retireIntegration.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import type { TestAuthority, TestClient } from '../../support/world/Fixtures.ts';
import type { World } from '../../support/world/World.ts';
import { operatorOf } from './certificateWalk.ts';
import type { Made, Walk } from './Walk.ts';

type P12Row = Made & { readonly id: string; readonly token: string; readonly client: TestClient; readonly actor: OperatorActor };

/** Packages that were requested and made as an owner's are. */
export function p12Walk(world: World, { issuerId, signer }: TestAuthority, now: Date): Walk<P12Row> {
  const { sql } = world.fixtures;
  const clock = { now: () => now };
  const issuer = { id: issuerId, signer, crlDistributionUrl: 'https://crl.example.com/issuing.crl' };
  const lookupKeys = world.keyRing.lookup;

  const maker = (failedAttempts: number) => async (state: string) => {
    const client = await world.fixtures.client();
    const actor = operatorOf(client.operatorId);
    const { certificate, claimToken } = await requestP12(world.em(), { actor, clientId: client.id, lookupKeys, now });
    const { id } = certificate;
    if (!['making', 'failed'].includes(state)) await makeP12(world.em(), { certificateId: id, issuer, clock });
    if (!['making', 'ready'].includes(state)) {
      await sql`update certificate set status = 'revoked', slot = null, revoked_at = ${now}, revocation_reason = 'unspecified' where id = ${id}`;
      await sql`update p12_package set status = ${state}, sealed = null, ended_at = ${now} where certificate_id = ${id}`;
    }
    await sql`update p12_package set failed_attempts = ${failedAttempts} where certificate_id = ${id}`;
    return { where: { certificate_id: id }, id, token: claimToken, client, actor };
  };
  const claim = ({ id, token, actor }: P12Row, at = now) => claimP12(world.em(), { actor, certificateId: id, token, lookupKeys, now: at });
  const wrong = (row: P12Row) => claim({ ...row, token: Buffer.alloc(32, 7).toString('base64url') });
  const later = new Date(now.getTime() + 15 * 60_000);
  const expires = { ready: { actions: ['expireP12'], to: 'expired' } };
  const withdraws = { actions: ['withdrawP12'], to: 'revoked' };
  return {
    lifecycle: p12Lifecycle,
    make: maker(0),
    runs: {
      makeP12: {
        command: ({ id }) => makeP12(world.em(), { certificateId: id, issuer, clock }),
        does: { making: { actions: ['makeP12'], to: 'ready' } },
      },
      failP12: {
        command: ({ id }) => failP12(world.em(), { certificateId: id, now }),
        does: { making: { actions: ['failP12'], to: 'failed' } },
      },
      claimP12: { command: (row) => claim(row), does: { ready: { actions: ['claimP12'], to: 'claimed' } } },
      'claimP12 too late': { command: (row) => claim(row, later), does: expires },
      'claimP12 with a wrong token': { command: wrong, does: { ready: { actions: ['countWrongToken'], to: 'ready' } } },
      'the fifth claimP12 with a wrong token': {
        make: maker(4),
        command: wrong,
        does: { ready: { actions: ['blockP12'], to: 'blocked' } },
      },
      expireP12s: { command: () => expireP12s(world.em(), { now: later }), does: expires },
      'expireP12s after an hour': {
        command: () => expireP12s(world.em(), { now: new Date(now.getTime() + 60 * 60_000) }),
        does: { ...expires, making: { actions: ['failP12'], to: 'failed' } },
      },
      revokeCertificate: {
        command: ({ id, actor }) => revokeCertificate(world.em(), { actor, certificateId: id, reason: 'superseded', now }),
        does: { making: withdraws, ready: withdraws },
      },
      retireIntegration: {
        command: ({ actor, client: { integrationId } }) => retireIntegration(world.em(), { actor, integrationId, reason: null, now }),
        does: { making: withdraws, ready: withdraws },
      },
    },
  };
}
