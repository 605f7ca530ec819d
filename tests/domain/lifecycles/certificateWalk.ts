import { generateKeyPairSync } from 'node:crypto';
import { revokeAnyCertificate } from '../../../server/domain/administration/revokeAnyCertificate.ts';
import { revokeClientCertificates } from '../../../server/domain/administration/revokeClientCertificates.ts';
import { certificateLifecycle } from '../../../server/domain/certificate/certificateStatus.ts';
import { publishCrl } from '../../../server/domain/certificate/crl/publication/publishCrl.ts';
import type { Issuer } from '../../../server/domain/certificate/CertificateSigner.ts';
import { failCertificate, issueCertificate } from '../../../server/domain/certificate/issueCertificate.ts';
import { requestCertificate } from '../../../server/domain/certificate/request/requestCertificate.ts';
import { revokeCertificate } from '../../../server/domain/certificate/revokeCertificate.ts';
import { retireIntegration } from '../../../server/domain/programme/retireIntegration.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { TestAuthority, TestClient } from '../../support/world/Fixtures.ts';
import type { World } from '../../support/world/World.ts';
import { attribute, csrDer, csrPem, nameOf, spkiOf } from '../certificate/csrFactory.ts';
import { Interruption, type Made, type Walk } from './Walk.ts';

const day = 24 * 60 * 60_000;
type CertificateRow = Made & { readonly id: string; readonly client: TestClient };

export const operatorOf = (operatorId: string): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles: [],
  ip: '127.0.0.1',
  requestId: 'req_test',
});

export function certificateWalk(world: World, authority: TestAuthority, now: Date): Walk<CertificateRow> {
  const { sql } = world.fixtures;
  const issuer: Issuer = { id: authority.issuerId, signer: authority.signer, crlDistributionUrl: 'https://crl.example.com/issuing.crl' };
  const silent: Issuer = { ...issuer, signer: { ...issuer.signer, sign: () => Promise.reject(new Interruption()) } };
  const em = () => world.orm.em.fork();
  const newKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

  async function pending(client: TestClient, slot: number): Promise<string> {
    const [id, key] = [newId('crt'), newKey()];
    const csr = csrDer({ key, subject: nameOf(attribute(client.commonName)) });
    await sql`insert into certificate (id, client_number, slot, source, status, csr_der, public_key_der, key_type, requested_at, requested_by)
      values (${id}, ${client.number}, ${slot}, 'csr', 'pending', ${csr}, ${spkiOf(key)}, 'EC P-256', ${now}, ${client.operatorId})`;
    return id;
  }

  async function make(state: string): Promise<CertificateRow> {
    const client = await world.fixtures.client();
    const id = await pending(client, 1);
    if (state === 'issued' || state === 'revoked') await issueCertificate(em(), { certificateId: id, issuer, now });
    if (state === 'failed') await sql`update certificate set status = 'failed', slot = null, failure = 'Test' where id = ${id}`;
    if (state === 'revoked')
      await sql`update certificate set status = 'revoked', slot = null, revoked_at = ${now}, revocation_reason = 'unspecified' where id = ${id}`;
    return { where: { id }, id, client };
  }

  const administrator: OperatorActor = { ...operatorOf(newId('opr')), roles: ['administrator'] };
  const decision = { revocationReason: 'key_compromise', reason: 'A leaked key.', now } as const;
  const revokes = { actions: ['revokeCertificate'], to: 'revoked' };
  return {
    lifecycle: certificateLifecycle,
    make,
    runs: {
      'an attempt to sign that fails': {
        command: ({ id }) => issueCertificate(em(), { certificateId: id, issuer: silent, now }),
        does: { pending: { actions: ['reserveSerial'], to: 'pending' } },
      },
      issueCertificate: {
        command: ({ id }) => issueCertificate(em(), { certificateId: id, issuer, now }),
        does: { pending: { actions: ['reserveSerial', 'issueCertificate'], to: 'issued' } },
      },
      failCertificate: {
        command: ({ id }) => failCertificate(em(), id),
        does: { pending: { actions: ['failCertificate'], to: 'failed' } },
      },
      'the issuance of the next one': {
        command: async ({ client }) => issueCertificate(em(), { certificateId: await pending(client, 2), issuer, now }),
        does: { issued: { actions: ['limitOverlap'], to: 'issued' } },
      },
      'the revocation of the next one': {
        make: async (state) => {
          const made = await make(state);
          await issueCertificate(em(), { certificateId: await pending(made.client, 2), issuer, now });
          return made;
        },
        command: async ({ client: { number, operatorId } }) => {
          const [next] = await sql<{ id: string }[]>`select id from certificate where client_number = ${number} and slot = 2`;
          await revokeCertificate(em(), { actor: operatorOf(operatorId), certificateId: next?.id ?? '', reason: 'superseded', now });
        },
        does: { issued: { actions: ['restoreEnd'], to: 'issued' } },
      },
      'a request after its time': {
        command: ({ client }) =>
          requestCertificate(em(), {
            actor: operatorOf(client.operatorId),
            clientId: client.id,
            csr: csrPem({ key: newKey(), subject: nameOf(attribute(client.commonName)) }),
            now: new Date(now.getTime() + 91 * day),
          }),
        does: { issued: { actions: ['freeSlot'], to: 'issued' } },
      },
      revokeCertificate: {
        command: ({ id, client }) =>
          revokeCertificate(em(), { actor: operatorOf(client.operatorId), certificateId: id, reason: 'superseded', now }),
        does: { pending: revokes, issued: revokes },
      },
      revokeAnyCertificate: {
        command: ({ id }) => revokeAnyCertificate(em(), { actor: administrator, certificateId: id, ...decision }),
        does: { pending: revokes, issued: revokes },
      },
      revokeClientCertificates: {
        command: ({ client }) => revokeClientCertificates(em(), { actor: administrator, clientId: client.id, ...decision }),
        does: { pending: revokes, issued: revokes },
      },
      publishCrl: {
        command: () => publishCrl(em(), { authorityId: issuer.id, signer: issuer.signer, now }),
        does: { revoked: { actions: ['publishRevocation'], to: 'revoked' } },
      },
      retireIntegration: {
        command: ({ client: { operatorId, integrationId } }) =>
          retireIntegration(em(), { actor: operatorOf(operatorId), integrationId, reason: null, now }),
        does: { pending: revokes, issued: revokes },
      },
    },
  };
}
