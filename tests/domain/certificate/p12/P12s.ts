import type { EntityManager } from '@mikro-orm/postgresql';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Issuer } from '../../../../server/domain/certificate/CertificateSigner.ts';
import { claimP12 } from '../../../../server/domain/certificate/p12/claimP12.ts';
import { makeP12 } from '../../../../server/domain/certificate/p12/makeP12.ts';
import { requestP12 } from '../../../../server/domain/certificate/p12/requestP12.ts';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { newId } from '../../../../server/domain/shared/ids.ts';
import { readPkcs12 } from '../../../support/readPkcs12.ts';
import type { TestAuthority, TestClient } from '../../../support/world/Fixtures.ts';
import type { World } from '../../../support/world/World.ts';

/** A package as the tests follow it. */
export type P12 = { readonly id: string; readonly token: string; readonly client: TestClient; readonly actor: OperatorActor };

/** Everything about a package that is on record. */
export type P12Record = {
  readonly status: string;
  readonly sealed: Buffer | null;
  readonly claimUntil: Date | null;
  readonly failedAttempts: number;
  readonly certificate: string;
  readonly slot: number | null;
  readonly reason: string | null;
  readonly serial: string | null;
};

/** Requests, makes and claims packages by the commands of the domain. */
export class P12s {
  readonly world: World;
  readonly issuer: Issuer;

  constructor(world: World, { issuerId, signer }: TestAuthority) {
    this.world = world;
    this.issuer = { id: issuerId, signer, crlDistributionUrl: 'https://crl.example.com/issuing.crl' };
  }

  /** Requested, and not made yet. */
  async request(client?: TestClient): Promise<P12> {
    const its = client ?? (await this.world.fixtures.client());
    const actor: OperatorActor = { type: 'operator', operatorId: its.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' };
    const lookupKeys = this.world.keyRing.lookup;
    const requested = await requestP12(this.world.em(), { actor, clientId: its.id, lookupKeys, now: this.world.clock.now() });
    return { id: requested.certificate.id, token: requested.claimToken, client: its, actor };
  }

  make(
    { id }: Pick<P12, 'id'>,
    { issuer = this.issuer, em = this.world.em() }: { issuer?: Issuer; em?: EntityManager } = {},
  ): Promise<void> {
    return makeP12(em, { certificateId: id, issuer, clock: this.world.clock });
  }

  /** Ready to be claimed. */
  async ready(client?: TestClient): Promise<P12> {
    const requested = await this.request(client);
    await this.make(requested);
    return requested;
  }

  claim({ id, token, actor }: Pick<P12, 'id' | 'token' | 'actor'>, now: Date = this.world.clock.now()): ReturnType<typeof claimP12> {
    return claimP12(this.world.em(), { actor, certificateId: id, token, lookupKeys: this.world.keyRing.lookup, now });
  }

  async record({ id }: Pick<P12, 'id'>): Promise<P12Record> {
    const [row] = await this.world.rows<P12Record>(
      `select p.status, p.sealed, p.claim_until as "claimUntil", p.failed_attempts as "failedAttempts", x.status as certificate, x.slot,
              x.revocation_reason as reason, x.serial from p12_package p join certificate x on x.id = p.certificate_id where x.id = $1`,
      [id],
    );
    if (!row) throw new Error('There is no such package.');
    return row;
  }

  /** What the owner's audit trail says about it, in order. */
  async trail({ id }: Pick<P12, 'id'>): Promise<string[]> {
    const rows = await this.world.rows<{ action: string }>('select action from audit_entry where subject_id = $1 order by id', [id]);
    return rows.map(({ action }) => action);
  }

  /** The kinds of the mails to its owner. */
  async mails({ client }: Pick<P12, 'client'>): Promise<string[]> {
    const rows = await this.world.rows<{ kind: string }>('select kind from mail where operator_id = $1 order by kind', [client.operatorId]);
    return rows.map(({ kind }) => kind);
  }
}

/** Another token of the right form. */
export const wrongToken = (): string => Buffer.alloc(32, newId('key')).toString('base64url');

/**
 * Whether Node opens the package with its password, and node-forge finds the same in it: one key, first the
 * certificate of that key, and the same name and identifier on both.
 */
export function opens({ pkcs12, password }: Pick<Awaited<ReturnType<typeof claimP12>>, 'pkcs12' | 'password'>): boolean {
  createSecureContext({ pfx: pkcs12, passphrase: password });
  const { keys, certificates } = readPkcs12(pkcs12, password);
  const [[key, ...others], [leaf, ...chain]] = [keys, certificates];
  if (!leaf || !key || others.length > 0 || chain.length === 0) return false;
  const named = (name: 'localKeyId' | 'friendlyName') => leaf.attributes[name]?.[0] === key.attributes[name]?.[0] && !!key.attributes[name];
  const certificate = new X509Certificate(leaf.der);
  const privateKey = createPrivateKey({ key: key.der, format: 'der', type: 'pkcs8' });
  return certificate.checkPrivateKey(privateKey) && named('localKeyId') && named('friendlyName');
}
