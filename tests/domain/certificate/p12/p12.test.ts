import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { X509Certificate } from 'node:crypto';
import { reserveSerials } from '../../../../server/domain/certificate/issueCertificate.ts';
import { expireP12s } from '../../../../server/domain/certificate/p12/expireP12s.ts';
import { failP12 } from '../../../../server/domain/certificate/p12/makeP12.ts';
import { revokeCertificate } from '../../../../server/domain/certificate/revokeCertificate.ts';
import { retireIntegration } from '../../../../server/domain/programme/retireIntegration.ts';
import { DomainError } from '../../../../server/domain/shared/DomainError.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { opens, P12s, wrongToken, type P12 } from './P12s.ts';

const minute = 60_000;

let world: World;
let p12s: P12s;
beforeAll(async () => {
  world = await openWorld({ poolMax: 12 });
  world.clock.stop();
  p12s = new P12s(world, await world.fixtures.authorities());
});
afterAll(() => world.close());

const refusal = (claim: Promise<unknown>) =>
  claim.then(
    () => 'claimed',
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return `${error.code}: ${error.message}`;
    },
  );
const gone = { sealed: null, certificate: 'revoked', reason: 'cessation_of_operation', slot: null };

describe('an owner who claims a package', () => {
  test('gets it with its password once, under the name of its file, and nobody else ever does', async () => {
    const p12 = await p12s.ready();
    expect(await p12s.record(p12)).toMatchObject({ status: 'ready', certificate: 'issued', slot: 1 });
    const claimed = await p12s.claim(p12);
    expect(claimed.fileName).toMatch(/^sandbox-\d{4}-\d\d\.p12$/);
    expect(claimed.password).toMatch(/^[0-9a-hjkmnp-tv-z]{25}$/);
    expect(opens(claimed)).toBe(true);
    expect(() => opens({ ...claimed, password: 'wrong' })).toThrow(/mac verify failure/);
    expect(await p12s.record(p12)).toMatchObject({ status: 'claimed', sealed: null, certificate: 'issued', slot: 1 });
    expect(await refusal(p12s.claim(p12))).toMatch(/^conflict: This package has already been claimed.*revoke its certificate and request/);
    expect(await p12s.trail(p12)).toEqual(['certificate.requested', 'certificate.issued', 'key_package.claimed']);
    expect(await p12s.mails(p12)).toEqual([]);
  });

  test('has to wait until it is ready, and needs a token of the right form', async () => {
    const p12 = await p12s.request();
    expect(await refusal(p12s.claim(p12))).toMatch(/^conflict: The package is not ready yet/);
    await p12s.make(p12);
    expect(await refusal(p12s.claim({ ...p12, token: `${p12.token}=` }))).toMatch(/^invalid_request: A claim token has 43/);
    expect(await p12s.record(p12)).toMatchObject({ status: 'ready', failedAttempts: 0 });
    const stranger = (await p12s.request()).actor;
    expect(await refusal(p12s.claim({ ...p12, actor: stranger }))).toBe('not_found: There is no such P12 package.');
    expect(await refusal(p12s.claim({ ...p12, actor: { ...stranger, roles: ['administrator'] } }))).toMatch(/^not_found/);
    expect(await refusal(p12s.claim(p12))).toBe('claimed');
  });

  test('fifty times at once gets it exactly once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const p12 = await p12s.ready();
      const answers = await Promise.all(Array.from({ length: 50 }, () => refusal(p12s.claim(p12))));
      expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1);
      expect(answers.filter((answer) => answer.startsWith('conflict: This package has already been claimed'))).toHaveLength(49);
    }
  });

  test('may enter four wrong tokens, and is told how many are left', async () => {
    const p12 = await p12s.ready();
    for (const left of ['4 attempts are', '3 attempts are', '2 attempts are', 'One attempt is'])
      expect(await refusal(p12s.claim({ ...p12, token: wrongToken() }))).toContain(`not the claim token of this package. ${left} left`);
    expect(await p12s.record(p12)).toMatchObject({ status: 'ready', failedAttempts: 4 });
    expect(await refusal(p12s.claim(p12))).toBe('claimed');
  });

  test('loses it with the fifth wrong token, even at the same moment as the right one', async () => {
    const p12 = await p12s.ready();
    const wrong = () => refusal(p12s.claim({ ...p12, token: wrongToken() }));
    const answers = await Promise.all(Array.from({ length: 8 }, wrong));
    expect(answers.filter((answer) => answer.startsWith('invalid_request'))).toHaveLength(4);
    expect(answers.filter((answer) => answer.startsWith('conflict: Too many wrong tokens'))).toHaveLength(4);
    expect(await refusal(p12s.claim(p12))).toMatch(/^conflict: Too many wrong tokens.*Request a new package\.$/);
    expect(await p12s.record(p12)).toMatchObject({ status: 'blocked', failedAttempts: 5, ...gone });
    expect(await p12s.trail(p12)).toEqual([
      'certificate.requested',
      'certificate.issued',
      ...Array.from({ length: 5 }, () => 'key_package.claim_refused'),
      'certificate.revoked',
      'key_package.blocked',
    ]);
    expect(await p12s.mails(p12)).toEqual(['p12_blocked']);
  });

  test('loses it at the end of 15 minutes, but not a millisecond before', async () => {
    const [early, late] = [await p12s.ready(), await p12s.ready()];
    const { claimUntil } = await p12s.record(early);
    expect(claimUntil?.getTime()).toBe(world.clock.now().getTime() + 15 * minute);
    expect(await refusal(p12s.claim(early, new Date(Number(claimUntil) - 1)))).toBe('claimed');
    expect(await refusal(p12s.claim(late, new Date(Number(claimUntil))))).toMatch(
      /^conflict: The package was not claimed within 15 minutes/,
    );
    expect(await p12s.record(late)).toMatchObject({ status: 'expired', ...gone });
    // A clock that is a little behind brings nothing back.
    expect(await refusal(p12s.claim(late))).toMatch(/^conflict: The package was not claimed within 15 minutes/);
    expect(await p12s.mails(late)).toEqual(['p12_expired']);
  });

  test('gets nothing once the certificate has been revoked', async () => {
    const p12 = await p12s.ready();
    await world.fixtures.revokeCertificate({ id: p12.id } as Parameters<typeof world.fixtures.revokeCertificate>[0]);
    expect(await refusal(p12s.claim(p12))).toMatch(/^conflict: The certificate was revoked before its package was claimed/);
    expect(await p12s.record(p12)).toMatchObject({ status: 'revoked', sealed: null });
  });

  test('gets nothing from bytes that belong to another package', async () => {
    const [own, other] = [await p12s.ready(), await p12s.ready()];
    await world.rows(
      'update p12_package set sealed = (select sealed from p12_package where certificate_id = $2) where certificate_id = $1',
      [own.id, other.id],
    );
    await expect(p12s.claim(own)).rejects.toThrow('The sealed package does not open.');
  });
});

describe('the clean-up', () => {
  const expire = (now: Date = world.clock.now()) => expireP12s(world.em(), { now });

  test('ends what an owner has not claimed in time, frees the slot, and mails the owner once', async () => {
    const [first, second] = [await p12s.ready(), await p12s.ready()];
    const { claimUntil } = await p12s.record(second);
    await expire(new Date(Number(claimUntil) - 1));
    expect(await p12s.record(first)).toMatchObject({ status: 'ready' });
    await p12s.claim(first);
    await Promise.all([expire(new Date(Number(claimUntil))), expire(new Date(Number(claimUntil)))]);
    expect(await p12s.record(first)).toMatchObject({ status: 'claimed', certificate: 'issued' });
    expect(await p12s.record(second)).toMatchObject({ status: 'expired', ...gone });
    expect(await p12s.mails(second)).toEqual(['p12_expired']);
    expect(await p12s.trail(second)).toEqual(['certificate.requested', 'certificate.issued', 'certificate.revoked', 'key_package.expired']);
    await p12s.request(second.client);
    await p12s.request(second.client);
  });

  test.each<[string, (p12: P12) => Promise<unknown>]>([
    [
      'revokes the certificate',
      ({ id, actor }) => revokeCertificate(world.em(), { actor, certificateId: id, reason: 'superseded', now: world.clock.now() }),
    ],
    [
      'retires the integration',
      ({ client, actor }) =>
        retireIntegration(world.em(), { actor, integrationId: client.integrationId, reason: null, now: world.clock.now() }),
    ],
  ])('has nothing to do for an owner who %s: the bytes go at once, and a package in the making is never finished', async (_what, end) => {
    const [waiting, making] = [await p12s.ready(), await p12s.request()];
    for (const p12 of [waiting, making]) await end(p12);
    await p12s.make(making);
    for (const p12 of [waiting, making]) {
      expect(await p12s.record(p12)).toMatchObject({ status: 'revoked', sealed: null, certificate: 'revoked', slot: null });
      expect(await refusal(p12s.claim(p12))).toMatch(/^conflict: The certificate was revoked before/);
    }
    await expire(new Date(world.clock.now().getTime() + 20 * minute));
    expect(await p12s.mails(waiting)).toEqual([]);
  });
});

describe('a worker that breaks off', () => {
  const cut = () => Promise.reject(new Error('power cut'));
  const withSigner = (sign: (data: Buffer) => Promise<Buffer>) => ({ ...p12s.issuer, signer: { ...p12s.issuer.signer, sign } });
  /** An entity manager that fails before or after it has committed. */
  const failing = (when: 'before' | 'after'): EntityManager => {
    const [em, real] = [world.em(), world.em()];
    em.transactional = async (work) => {
      await (when === 'before' ? cut() : real.transactional(work));
      return cut();
    };
    return em;
  };

  test.each<[string, (p12: P12) => Promise<void>]>([
    ['before it has signed', (p12) => p12s.make(p12, { issuer: withSigner(cut) })],
    ['when it has signed', (p12) => p12s.make(p12, { issuer: withSigner(async (data) => (await p12s.issuer.signer.sign(data)) && cut()) })],
    ['before it stores', (p12) => p12s.make(p12, { em: failing('before') })],
  ])('%s leaves the owner nothing but the request, and the next attempt has a key and a serial of its own', async (_when, attempt) => {
    const p12 = await p12s.request();
    await expect(attempt(p12)).rejects.toThrow('power cut');
    const { serial, ...left } = await p12s.record(p12);
    expect(left).toMatchObject({ status: 'making', certificate: 'pending', sealed: null });
    await p12s.make(p12);
    const made = await p12s.record(p12);
    expect(made).toMatchObject({ status: 'ready', certificate: 'issued' });
    expect(made.serial).not.toBe(serial);
    expect(opens(await p12s.claim(p12))).toBe(true);
    expect((await p12s.trail(p12)).filter((action) => action === 'certificate.issued')).toHaveLength(1);
  });

  test('after it has stored leaves the owner a package, which the next attempt does not touch', async () => {
    const p12 = await p12s.request();
    await expect(p12s.make(p12, { em: failing('after') })).rejects.toThrow('power cut');
    const left = await p12s.record(p12);
    await p12s.make(p12);
    await failP12(world.em(), { certificateId: p12.id, now: world.clock.now() });
    expect(await p12s.record(p12)).toEqual(left);
    expect(opens(await p12s.claim(p12))).toBe(true);
  });

  test('at its last attempt says so to the owner, and the slot is free', async () => {
    const p12 = await p12s.request();
    await failP12(world.em(), { certificateId: p12.id, now: world.clock.now() });
    expect(await p12s.record(p12)).toMatchObject({ status: 'failed', certificate: 'failed', slot: null, sealed: null });
    expect(await refusal(p12s.claim(p12))).toBe('conflict: The package could not be made. Request a new one.');
    await p12s.make(p12);
    expect(await p12s.record(p12)).toMatchObject({ status: 'failed', certificate: 'failed' });
  });

  test('that is killed at its last attempt holds an owner’s slot for an hour at most', async () => {
    const [killed, finished] = [await p12s.request(), await p12s.ready()];
    const at = (milliseconds: number) => expireP12s(world.em(), { now: new Date(world.clock.now().getTime() + milliseconds) });
    await at(10 * minute);
    expect(await p12s.record(killed)).toMatchObject({ status: 'making', certificate: 'pending' });
    await p12s.claim(finished);
    await at(60 * minute);
    expect(await p12s.record(killed)).toMatchObject({ status: 'failed', certificate: 'failed', slot: null });
    expect(await p12s.record(finished)).toMatchObject({ status: 'claimed', certificate: 'issued' });
  });

  test('several workers on one request make one certificate and one package for the owner', async () => {
    const p12 = await p12s.request();
    await Promise.allSettled(Array.from({ length: 5 }, () => p12s.make(p12)));
    expect((await p12s.trail(p12)).filter((action) => action === 'certificate.issued')).toHaveLength(1);
    expect(opens(await p12s.claim(p12))).toBe(true);
  });

  test('that is overtaken while it signs leaves the owner no certificate under a serial that is not on record', async () => {
    const p12 = await p12s.request();
    const overtaken = withSigner(async (data) => {
      await reserveSerials(world.em(), { certificateIds: [p12.id], issuer: p12s.issuer, now: world.clock.now(), keep: false });
      return p12s.issuer.signer.sign(data);
    });
    await expect(p12s.make(p12, { issuer: overtaken })).rejects.toThrow('under another serial');
    expect(await p12s.record(p12)).toMatchObject({ status: 'making', certificate: 'pending', sealed: null });
    await p12s.make(p12);
    const [made] = await world.rows<{ pem: string; serial: string }>('select pem, serial from certificate where id = $1', [p12.id]);
    expect(new X509Certificate(made?.pem ?? '').serialNumber.toLowerCase()).toBe(made?.serial);
  });
});

test('a user whose older certificate works gets 14 days to change to the package’s, as with a request of their own', async () => {
  const client = await world.fixtures.client();
  const [older, newer] = [await p12s.ready(client), await p12s.ready(client)];
  const [{ days } = { days: 0 }] = await world.rows<{ days: number }>(
    'select round(extract(epoch from usable_until - issued_at) / 86400)::int as days from certificate where id = $1',
    [older.id],
  );
  expect(days).toBe(14);
  await expect(p12s.request(newer.client)).rejects.toThrow(/already has 2 certificates/);
});
