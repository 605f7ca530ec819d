import { randomBytes, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CRLDistributionPoints,
  DistributionPoint,
  DistributionPointName,
  ExtendedKeyUsage,
  Extension,
  GeneralName,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { endCertificates } from '../../../workers/tasks/endCertificates.ts';
import { abandonSigningKeys } from '../../../server/database/abandonKeys.ts';
import { certificateAuthorities } from '../../../server/domain/administration/certificateAuthorities.ts';
import { authorityPurpose, openAuthority, openIssuer } from '../../../server/domain/certificate/authorities.ts';
import { revokeAuthorities } from '../../../server/domain/certificate/authority/revokeAuthorities.ts';
import { issueCertificate } from '../../../server/domain/certificate/issueCertificate.ts';
import { importCrl } from '../../../server/domain/certificate/crl/publication/importCrl.ts';
import { signCrl } from '../../../server/domain/certificate/crl/publication/signCrl.ts';
import { importIssuingAuthority } from '../../../server/domain/certificate/authority/importIssuingAuthority.ts';
import { requestIssuingAuthority } from '../../../server/domain/certificate/authority/requestIssuingAuthority.ts';
import {
  createIssuingAuthority,
  createRootAuthority,
  issueClientCertificate,
  newSerial,
} from '../../../server/domain/certificate/certificateAuthority.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { authorityKeys } from '../../../server/platform/authorityKeys.ts';
import { generateSigningKey, softwareKey } from '../../../server/platform/keyStore.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { firstList } from './authorityFactory.ts';
import { ecKey, spkiOf } from './csrFactory.ts';
import { refusalOf } from '../../support/feed/sharingCommands.ts';
import { backEndOf } from '../../support/world/backEndOf.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { signingKeys } from '../../support/world/testKeys.ts';

const day = 24 * 60 * 60 * 1000;
const actor = { type: 'system', name: 'terminal' } as const;
const keys = authorityKeys(signingKeys);
let world: PortalWorld & MachineWorld;
let root: OfflineRoot;
beforeAll(async () => {
  world = await openWorld({ portal: true, machine: { authorityReloadMs: 50 } });
  root = await offlineRoot('Offline root');
});
afterAll(() => world?.close());

type OfflineRoot = Awaited<ReturnType<typeof offlineRoot>>;

/** A root whose key never reaches the service. */
async function offlineRoot(commonName: string, change: (certificate: Certificate) => void = () => {}) {
  const pkcs8 = generateSigningKey('P-384');
  const key = softwareKey(pkcs8);
  const lifetime = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 3650 * day) };
  const made = await createRootAuthority({ commonName, serial: newSerial(), ...lifetime, key });
  const der = await altered(made.der, key, change);
  return { key, pem: pemOf(der), signer: { ...key, issuerCertificateDer: der } };
}

/** The certificate with something else in it, signed by the same key as before. */
async function altered(der: Buffer, key: ReturnType<typeof softwareKey>, change: (certificate: Certificate) => void): Promise<Buffer> {
  const certificate = AsnConvert.parse(der, Certificate);
  change(certificate);
  const body = Buffer.from(AsnConvert.serialize(certificate.tbsCertificate));
  certificate.tbsCertificateRaw = undefined as never;
  certificate.signatureValue = new Uint8Array(await key.sign(body)).buffer;
  return Buffer.from(AsnConvert.serialize(certificate));
}
const pemOf = (der: Buffer) => new X509Certificate(der).toString();

/** The request of the service and what an offline root makes of it, with something else in it if a test says so. */
async function signed(
  by: OfflineRoot,
  change: (certificate: Certificate) => void = () => {},
  lifetime: { from?: number; days?: number } = {},
) {
  const now = world.clock.now();
  const requested = await requestIssuingAuthority(world.em(), { actor, keys, portalUrl: world.portalUrl, rootPem: by.pem, now });
  const csr = AsnConvert.parse(derOf(requested.csrPem), CertificationRequest);
  const { der } = await createIssuingAuthority({
    commonName: `Issuing ${requested.id}`,
    serial: newSerial(),
    notBefore: new Date(now.getTime() + (lifetime.from ?? -60_000)),
    notAfter: new Date(now.getTime() + (lifetime.days ?? 1825) * day),
    signer: by.signer,
    publicKeyDer: Buffer.from(AsnConvert.serialize(csr.certificationRequestInfo.subjectPKInfo)),
    crlDistributionUrl: requested.crlUrl,
  });
  return { ...requested, pem: pemOf(await altered(der, by.key, change)) };
}
const derOf = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
const importing = (pem: string, by = keys) =>
  importIssuingAuthority(world.em(), { actor, keys: by, pem, portalUrl: world.portalUrl, now: world.clock.now() });

const extensionOf = ({ tbsCertificate }: Certificate, id: string) => tbsCertificate.extensions!.find(({ extnID }) => extnID === id)!;
const replace = (id: string, value: unknown, critical?: boolean) => (certificate: Certificate) => {
  const extension = extensionOf(certificate, id);
  extension.extnValue = new OctetString(AsnConvert.serialize(value));
  if (critical !== undefined) extension.critical = critical;
};
const remove =
  (id: string) =>
  ({ tbsCertificate }: Certificate) => {
    tbsCertificate.extensions!.splice(tbsCertificate.extensions!.indexOf(extensionOf({ tbsCertificate } as Certificate, id)), 1);
  };
const add =
  (id: string, critical: boolean) =>
  ({ tbsCertificate }: Certificate) =>
    void tbsCertificate.extensions!.push(new Extension({ extnID: id, critical, extnValue: new OctetString(Buffer.from('3000', 'hex')) }));
const listAt = (...urls: string[]) =>
  new CRLDistributionPoints(
    urls.map((uri) => {
      const distributionPoint = new DistributionPointName({ fullName: [new GeneralName({ uniformResourceIdentifier: uri })] });
      return new DistributionPoint({ distributionPoint });
    }),
  );
const ids = { constraints: '2.5.29.19', usage: '2.5.29.15', extended: '2.5.29.37', list: '2.5.29.31', ski: '2.5.29.14', aki: '2.5.29.35' };
const both = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;

describe('a certificate from an offline root', () => {
  test.each<[string, (certificate: Certificate) => void, string]>([
    ['may not be a certificate for a client', replace(ids.constraints, new BasicConstraints({ cA: false })), 'pathlen:0'],
    ['may not allow authorities below it', replace(ids.constraints, new BasicConstraints({ cA: true, pathLenConstraint: 1 })), 'pathlen:0'],
    ['needs a path length', replace(ids.constraints, new BasicConstraints({ cA: true })), 'pathlen:0'],
    [
      'needs critical constraints',
      replace(ids.constraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), false),
      'must be critical',
    ],
    ['needs constraints', remove(ids.constraints), 'basicConstraints must be critical'],
    ['must be allowed to sign lists', replace(ids.usage, new KeyUsage(KeyUsageFlags.keyCertSign)), 'keyUsage must be critical'],
    ['may not do more than sign', replace(ids.usage, new KeyUsage(both | KeyUsageFlags.digitalSignature)), 'nothing else'],
    ['needs critical usage', replace(ids.usage, new KeyUsage(both), false), 'keyUsage must be critical'],
    ['needs usage', remove(ids.usage), 'keyUsage must be critical'],
    ['must be for clients', replace(ids.extended, new ExtendedKeyUsage(['1.3.6.1.5.5.7.3.1'])), 'must be clientAuth'],
    ['must be for clients alone', replace(ids.extended, new ExtendedKeyUsage(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'])), 'nothing else'],
    ['needs a purpose', remove(ids.extended), 'must be clientAuth'],
    ['needs the root’s list', remove(ids.list), 'crlDistributionPoints must name exactly one address'],
    ['needs the right list', replace(ids.list, listAt('http://crl.example.com/root.crl')), '/crl/root-'],
    [
      'may name only one list',
      (certificate) => replace(ids.list, listAt(listOf(certificate), 'http://crl.example.com/'))(certificate),
      'exactly one',
    ],
    ['needs an identifier of its key', remove(ids.ski), 'needs a subject key identifier'],
    ['needs the identifier of the root’s key', remove(ids.aki), 'authority key identifier'],
    [
      'needs the right identifier of the root’s key',
      replace(ids.aki, new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(Buffer.alloc(20)) })),
      'authority key identifier',
    ],
    ['may not limit names', add('2.5.29.30', true), 'critical extension'],
  ])('%s', async (_rule, change, words) => {
    const { pem } = await signed(root, change);
    expect(await refusalOf(importing(pem + root.pem))).toEqual({
      code: 'invalid_request',
      paths: ['file'],
      message: expect.stringContaining(words),
    });
  });
  const listOf = (certificate: Certificate) =>
    AsnConvert.parse(extensionOf(certificate, ids.list).extnValue.buffer, CRLDistributionPoints)[0]!.distributionPoint!.fullName![0]!
      .uniformResourceIdentifier!;

  test.each<[string, { from?: number; days?: number }, string]>([
    ['must be valid already', { from: day }, 'is valid only from'],
    ['must be valid for longer than a client’s certificate', { days: 90 }, 'more than the 90 days'],
  ])('%s', async (_rule, lifetime, words) => {
    const { pem } = await signed(root, undefined, lifetime);
    expect((await refusalOf(importing(pem + root.pem))).message).toContain(words);
  });

  test('may not end after its root, nor be signed by another one', async () => {
    const requested = await signed(root);
    const longer = (certificate: Certificate) => void (certificate.tbsCertificate.validity.notAfter.generalTime = new Date('2099-01-01'));
    const outliving = await signed(root, (certificate) => {
      longer(certificate);
      certificate.tbsCertificate.validity.notAfter.utcTime = undefined as never;
    });
    expect((await refusalOf(importing(outliving.pem + root.pem))).message).toContain('after its root');
    const weak = await signed(root, (certificate) => {
      for (const algorithm of [certificate.signatureAlgorithm, certificate.tbsCertificate.signature])
        algorithm.algorithm = '1.2.840.10045.4.1';
    });
    expect((await refusalOf(importing(weak.pem + root.pem))).message).toContain('and SHA-256, SHA-384 or SHA-512');
    const other = await offlineRoot('Offline root');
    const refusal = await refusalOf(importing(requested.pem + other.pem));
    expect(refusal.message).toContain('is not signed by this root');
    expect((await refusalOf(importing(requested.pem))).message).toContain('Add the root’s certificate to the file');
  });

  test('may not come from a root that is no authority, or whose signature or identifier is missing', async () => {
    const notRoot = await offlineRoot('No authority', replace(ids.constraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 })));
    await expect(signed(notRoot)).rejects.toThrow('pathlen 1 or none');
    const mute = await offlineRoot('No lists', replace(ids.usage, new KeyUsage(KeyUsageFlags.keyCertSign)));
    await expect(signed(mute)).rejects.toThrow('keyCertSign and cRLSign');
    await expect(signed(await offlineRoot('No identifier', remove(ids.ski)))).rejects.toThrow('subject key identifier');
    const foreign = { ...root, pem: world.authority.chainPem };
    await expect(signed(foreign)).rejects.toThrow('signed by the root itself');
  });

  test('must be for a key that was requested here, once, and come without any private key', async () => {
    const { pem } = await signed(root);
    const stranger = await createIssuingAuthority({
      commonName: 'Stranger',
      serial: newSerial(),
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 1800 * day),
      signer: root.signer,
      publicKeyDer: softwareKey(generateSigningKey('P-256')).publicKeyDer,
      crlDistributionUrl:
        AsnConvert.parse(new X509Certificate(pem).raw, Certificate) && listOf(AsnConvert.parse(new X509Certificate(pem).raw, Certificate)),
    });
    expect((await refusalOf(importing(stranger.pem + root.pem))).message).toContain('is not one that was requested here');
    expect((await refusalOf(importing(`${pem}-----BEGIN PRIVATE KEY-----`))).message).toContain('contains a private key');
    const others = authorityKeys({ variable: 'SIGNING_KEY', current: Buffer.alloc(32, 9) });
    await expect(importing(pem + root.pem, others)).rejects.toThrow('which this process does not have');
    expect((await refusalOf(importing('nothing'))).message).toContain('certificates in PEM');
    expect((await refusalOf(importing(root.pem))).message).toContain('certificate of the issuing authority');
  });
});

/** The statuses of these authorities, as administrators see them, and whether certificates come from each. */
async function statuses(shown: readonly string[]) {
  const all = new Map((await certificateAuthorities(world.em(), world.clock.now())).map((each) => [each.id, each]));
  expect([...all.values()].filter(({ issues }) => issues)).toHaveLength(shown.some((id) => all.get(id)?.status === 'issuing') ? 1 : 0);
  return shown.map((id) => all.get(id)?.status);
}

test('clients call without one refusal while the issuing authority changes, with certificates of either, and each bundle has its own chain', async () => {
  const owner = await world.operator();
  const [one, two] = [await owner.createIntegration(), await owner.createIntegration()];
  const former = await backEndOf(world, owner, one.slug, 'sandbox');
  const answers: number[] = [];
  const call = async (machine: typeof former) => answers.push((await machine.call('/v1/capabilities')).status);
  await call(former);

  const next = await signed(root);
  const { issuesFrom, newRoot, rootId } = await importing(next.pem + root.pem);
  expect([newRoot, issuesFrom.getTime() - world.clock.now().getTime() > limits.keyActivationDelay - 60_000]).toEqual([true, true]);
  expect((await refusalOf(importing(next.pem))).message).toContain(`already belongs to the authority ${next.id}`);
  const tooSoon = await signed(root);
  expect(await refusalOf(importing(tooSoon.pem))).toMatchObject({ code: 'conflict', message: expect.stringContaining('issues from') });
  // Until then, the former one issues.
  const issuerOf = async (slug: string) => {
    const [certificate] = await owner.certificates(slug);
    const [row] = await world.rows<{ issuer: string }>('select issuer_id as issuer from certificate where id = $1', [certificate?.id]);
    return row?.issuer;
  };
  expect(await issuerOf(one.slug)).toBe(world.issuer.id);
  expect(await statuses([next.id, world.issuer.id, rootId])).toEqual(['waiting', 'issuing', 'root']);

  world.clock.advance(limits.keyActivationDelay + 1_000);
  await owner.signIn();
  const later = await backEndOf(world, owner, two.slug, 'sandbox');
  expect(await issuerOf(two.slug)).toBe(next.id);
  expect(await statuses([next.id, world.issuer.id])).toEqual(['issuing', 'replaced']);
  for (let turn = 0; turn < 3; turn += 1) {
    await call(former);
    await call(later);
    // A new handshake for each.
    former.close();
    later.close();
  }
  expect(new Set(answers)).toEqual(new Set([200]));
  const [latest] = await owner.certificates(two.slug);
  const bundle = await (await owner.fetch(latest?.bundlePath ?? '')).text();
  expect(bundle).toContain(next.pem.trim());
  expect(bundle).toContain(root.pem.trim());
  expect(await world.rows('select id from certificate_authority where wrapped_key is null')).toEqual([{ id: rootId }]);
  // The root is known now, and the next authority needs no file.
  await requestIssuingAuthority(world.em(), { actor, keys, portalUrl: world.portalUrl, rootPem: null, now: world.clock.now() });
});

test('an operator’s certificate never ends after its authority', async () => {
  const owner = await world.operator();
  const integration = await owner.createIntegration();
  const next = await signed(root, undefined, { days: 100 });
  await importing(next.pem + root.pem);
  world.clock.advance(limits.keyActivationDelay + 1_000);
  world.clock.advance(60 * day);
  await owner.signIn();
  const issued = await owner.issuedCertificate(integration);
  const [row] = await world.rows<{ leaf: Date; authority: Date }>(
    'select x.not_after as leaf, a.not_after as authority from certificate x join certificate_authority a on a.id = x.issuer_id where x.id = $1',
    [issued.id],
  );
  expect(row?.leaf).toEqual(row?.authority);
});

test('what a revoked authority has issued is refused at once by every process, and so is what it would still sign; the next one issues at once', async () => {
  const owner = await world.operator();
  const integration = await owner.createIntegration();
  const next = await signed(root);
  await importing(next.pem + root.pem);
  world.clock.advance(limits.keyActivationDelay + 1_000);
  await owner.signIn();
  await owner.confirmFreshly();
  // This process would learn of it in an hour.
  const other = await world.secondApi({ authorityReloadMs: 60 * 60_000 });
  const [here, there] = [
    await backEndOf(world, owner, integration.slug, 'sandbox'),
    await backEndOf(world, owner, integration.slug, 'sandbox', other),
  ];
  const codes = async (...machines: MachineClient[]) =>
    Promise.all(machines.map(async (machine) => ((await machine.call('/v1/capabilities')).body as { code?: string }).code));
  expect(await codes(here, there)).toEqual([undefined, undefined]);
  const [row] = await world.rows<{ id: string; wrapped: Buffer }>(
    'select id, wrapped_key as wrapped from certificate_authority where id = $1',
    [next.id],
  );
  const signer = openAuthority({ id: next.id, certificatePem: next.pem, wrappedKey: row?.wrapped }, keys);
  const key = ecKey();
  const forged = await issueClientCertificate({
    signer,
    now: world.clock.now(),
    commonName: integration.commonName,
    serial: newSerial(),
    notBefore: new Date(world.clock.now().getTime() - day),
    notAfter: new Date(world.clock.now().getTime() + day),
    publicKeyDer: spkiOf(key),
    crlDistributionUrl: 'http://localhost/crl/issuing.crl',
  });
  const presented = { certPem: forged.pem + next.pem, keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString() };
  expect(await codes(world.connect(presented), world.connect(presented, other))).toEqual(Array(2).fill('client_certificate_unknown'));

  const serial = new X509Certificate(next.pem).serialNumber;
  const [thisUpdate, nextUpdate] = [0, 90 * day].map(
    (from) => new Date(Math.floor((world.clock.now().getTime() + from) / 1000) * 1000),
  ) as [Date, Date];
  const revoked = [{ serial, revokedAt: thisUpdate, reason: 'key_compromise' as const }];
  const list = await signCrl(root.signer, { number: 1n, thisUpdate, nextUpdate, revoked }, firstList);
  expect(await importCrl(world.em(), { actor, file: list.der, now: world.clock.now() })).toMatchObject({ authorities: [next.id] });
  expect(await codes(there)).toEqual(['client_certificate_revoked']);
  expect((await codes(here))[0]).toBeDefined();
  // Once its list of authorities is read again, nothing of it is believed, although the root is still trusted. An open connection is closed.
  while ((await codes(here))[0] !== 'client_certificate_invalid');
  expect(await codes(world.connect(presented), world.connect(presented), here)).toEqual(Array(3).fill('client_certificate_invalid'));

  const [mail] = await world.rows<{ details: unknown }>(
    `select details from mail where kind = 'certificates_revoked' order by created_at desc limit 1`,
  );
  expect(mail?.details).toMatchObject({ which: 'authority', certificates: 2, commonName: integration.commonName });
  expect((await owner.certificates(integration.slug)).map(({ status }) => status)).toEqual(['revoked', 'revoked']);
  expect(await world.rows(`select actor_id from audit_entry where action = 'authority.revoked' and subject_id = $1`, [next.id])).toEqual([
    { actor_id: 'terminal' },
  ]);

  // The worker still has the revoked one in its memory.
  const { data: requested } = await owner.requestCertificate(integration);
  const issuerOf = async () => (await world.rows('select status, issuer_id as issuer from certificate where id = $1', [requested?.id]))[0];
  await world.work();
  expect(await issuerOf()).toEqual({ status: 'pending', issuer: null });
  expect(await statuses([next.id])).toEqual(['revoked']);
  const follower = await signed(root);
  const { issuesFrom } = await importing(follower.pem);
  expect(issuesFrom.getTime()).toBeLessThanOrEqual(world.clock.now().getTime());
  world.clock.advance(limits.keyRingReload);
  await world.rows('update graphile_worker._private_jobs set run_at = now()');
  await world.work();
  expect(await issuerOf()).toEqual({ status: 'issued', issuer: follower.id });
});

test('an authority whose key is given up while it waits for its turn leaves it to the one before', async () => {
  const [former] = (await certificateAuthorities(world.em(), world.clock.now())).flatMap(({ id, issues }) => (issues ? [id] : []));
  const waiting = await signed(root);
  await importing(waiting.pem);
  const lost = authorityKeys({ ...signingKeys, current: randomBytes(32) }).wrap(authorityPurpose, generateSigningKey('P-256'));
  await world.rows('update certificate_authority set wrapped_key = $2 where id = $1', [waiting.id, lost]);
  const now = world.clock.now();
  await abandonSigningKeys(world.em(), { keys: signingKeys, actor, now });
  expect(await openIssuer(world.em(), { keys, portalUrl: world.portalUrl, now })).toMatchObject({ id: former });
  expect(await statuses([waiting.id, former ?? ''])).toEqual(['abandoned', 'issuing']);
  world.clock.advance(limits.keyActivationDelay + 1_000);
  expect(await openIssuer(world.em(), { keys, portalUrl: world.portalUrl, now: world.clock.now() })).toMatchObject({ id: former });
});

test('an authority that is revoked while it waits for its turn leaves it to the one before, and a run that broke off is finished', async () => {
  const owner = await world.operator();
  const integration = await owner.createIntegration();
  const [{ id: former } = { id: '' }] = await world.rows<{ id: string }>(
    `select id from certificate_authority where kind = 'issuing' and retired_at is null`,
  );
  const waiting = await signed(root);
  await importing(waiting.pem);
  const now = world.clock.now();
  await world.em().transactional((tx) => revokeAuthorities(tx, { ids: [waiting.id], actor, now }));
  expect(await openIssuer(world.em(), { keys, portalUrl: world.portalUrl, now })).toMatchObject({ id: former });
  world.clock.advance(limits.keyRingReload);
  const { id } = await owner.issuedCertificate(integration);
  const status = async () => (await owner.certificates(integration.slug)).find((each) => each.id === id)?.status;
  await endCertificates({}, world.workerContext());
  expect(await status()).toBe('issued');
  const { data: requested } = await owner.requestCertificate(integration);
  const certificateId = requested?.id ?? '';
  const issuer = await openIssuer(world.em(), { keys, portalUrl: world.portalUrl, now });
  const signer = {
    ...issuer.signer,
    sign: async (data: Buffer) => {
      await world.em().transactional((tx) => revokeAuthorities(tx, { ids: [former], actor, now }));
      return issuer.signer.sign(data);
    },
  };
  const issuing = issueCertificate(world.em(), { certificateId, issuer: { ...issuer, signer }, now });
  await expect(issuing).rejects.toThrow('its authority was revoked');
  await endCertificates({}, world.workerContext());
  expect((await owner.certificates(integration.slug)).map((each) => each.status)).toEqual(['revoked', 'revoked']);
  expect(await status()).toBe('revoked');
});
