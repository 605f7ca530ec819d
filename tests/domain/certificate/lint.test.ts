import { beforeAll, describe, expect, test } from '@jest/globals';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { Certificate, type TBSCertificate, Time, Version } from '@peculiar/asn1-x509';
import { issueClientCertificate, newSerial } from '../../../server/domain/certificate/certificateAuthority.ts';
import { commonNameOnly, signCertificate } from '../../../server/domain/certificate/certificateEncoding.ts';
import type { CertificateSigner } from '../../../server/domain/certificate/CertificateSigner.ts';
import { certificateProfiles, lintCertificate } from '../../../server/domain/certificate/lintCertificate.ts';
import { LintRefused } from '../../../server/domain/certificate/lintCertificate.ts';
import { signCrl } from '../../../server/domain/certificate/crl/publication/signCrl.ts';
import { lintCrl } from '../../../server/domain/certificate/crl/publication/lintCrl.ts';
import { derElements } from '../../../server/domain/shared/der/derElements.ts';
import { der, derInteger, derTime, tags } from '../../../server/domain/shared/der/derWriting.ts';
import { makeAuthorities } from './authorityFactory.ts';
import { commonName, ecKey, spkiOf } from './csrFactory.ts';

const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
const bytes = (hex: string) => Buffer.from(hex, 'hex');

let authorities: Awaited<ReturnType<typeof makeAuthorities>>;
beforeAll(async () => {
  authorities = await makeAuthorities(now);
});

/** The rules that were broken, or an empty text. */
function broken(lint: () => void): string {
  try {
    lint();
    return '';
  } catch (error) {
    if (!(error instanceof LintRefused)) throw error;
    return error.message.replace(/^.*broken: (.*)\.$/, '$1');
  }
}

/** A signer that counts what it is asked to sign. */
function counting(signer: CertificateSigner): { readonly signer: CertificateSigner; asked: number } {
  const counted = { asked: 0, signer: { ...signer, sign: (data: Buffer) => ((counted.asked += 1), signer.sign(data)) } };
  return counted;
}

describe('a certificate', () => {
  const asked = () => ({
    commonName,
    serial: newSerial(),
    notBefore: now,
    notAfter: inDays(90),
    now,
    publicKeyDer: spkiOf(ecKey()),
    crlDistributionUrl: 'http://localhost/crl/issuing.crl',
  });

  /** What the rules say of a client’s certificate in which this was changed after it had been built. */
  async function verdict(change: (body: TBSCertificate) => void, more: Partial<ReturnType<typeof asked>> = {}): Promise<string> {
    const content = asked();
    const issued = await issueClientCertificate({ ...content, signer: authorities.signer });
    const body = AsnConvert.parse(issued.der, Certificate).tbsCertificate;
    change(body);
    const issuerCertificateDer = authorities.signer.issuerCertificateDer;
    const wanted = { ...content, ...more, issuerCertificateDer, profile: certificateProfiles.client, key: authorities.signer };
    return broken(() => lintCertificate(Buffer.from(AsnConvert.serialize(body)), wanted));
  }
  const extension = (body: TBSCertificate, id: string) => {
    const found = body.extensions?.find(({ extnID }) => extnID === id);
    if (!found) throw new Error(`There is no extension ${id}.`);
    return found;
  };
  const setExtension = (id: string, value: string) => (body: TBSCertificate) => {
    extension(body, id).extnValue = new OctetString(bytes(value));
  };
  const without = (id: string) => (body: TBSCertificate) => {
    body.extensions?.splice(body.extensions.indexOf(extension(body, id)), 1);
  };
  const serialOf = (hex: string) => (body: TBSCertificate) => {
    body.serialNumber = new Uint8Array(bytes(hex)).buffer;
  };

  test('that is what was asked for breaks no rule', async () => {
    expect(await verdict(() => {})).toBe('');
  });

  test.each<[string, (body: TBSCertificate) => void, string]>([
    ['of version 1', (body) => void (body.version = Version.v1), 'encoding'],
    ['of version 2', (body) => void (body.version = Version.v2), 'version'],
    ['with another serial', serialOf(newSerial().toString('hex')), 'serial'],
    ['with a negative serial', serialOf(`80${'12'.repeat(15)}`), 'serial'],
    ['with a serial of 21 bytes', serialOf(`40${'12'.repeat(20)}`), 'serial'],
    ['with another algorithm', (body) => void (body.signature.algorithm = '1.2.840.10045.4.3.3'), 'signature algorithm'],
    ['of another issuer', (body) => void (body.issuer = commonNameOnly('Another authority')), 'issuer'],
    ['for another client', (body) => void (body.subject = commonNameOnly('svc:sandbox:cli_another')), 'subject'],
    ['for two clients', (body) => void body.subject.push(...commonNameOnly('svc:sandbox:cli_another')), 'subject'],
    ['with another name', (body) => void (body.subject[0]![0]!.type = '2.5.4.10'), 'subject'],
    ['that begins earlier', (body) => void (body.validity.notBefore = new Time(inDays(-1 / 1440))), 'beginning'],
    ['that ends earlier', (body) => void (body.validity.notAfter = new Time(inDays(89))), 'end'],
    ['that ends before it begins', (body) => void (body.validity.notAfter = new Time(inDays(-1))), 'end, lifetime'],
    ['for another key', (body) => void (body.subjectPublicKeyInfo.subjectPublicKey = new Uint8Array(65).buffer), 'public key'],
    ['that is an authority', setExtension('2.5.29.19', '30030101ff'), 'basicConstraints'],
    ['whose constraints may be passed over', (body) => void (extension(body, '2.5.29.19').critical = false), 'basicConstraints'],
    ['that may sign certificates', setExtension('2.5.29.15', '03020284'), 'keyUsage'],
    ['for servers', setExtension('2.5.29.37', '300a06082b06010505070301'), 'extKeyUsage'],
    ['for clients and servers', setExtension('2.5.29.37', '301406082b0601050507030206082b06010505070301'), 'extKeyUsage'],
    ['for everything', without('2.5.29.37'), 'extKeyUsage, no other extension'],
    ['that names another key of its own', setExtension('2.5.29.14', `0414${'00'.repeat(20)}`), 'subjectKeyIdentifier'],
    ['that names another key of its authority', setExtension('2.5.29.35', `30168014${'00'.repeat(20)}`), 'authorityKeyIdentifier'],
    ['that names no key of its authority', without('2.5.29.35'), 'authorityKeyIdentifier, no other extension'],
    [
      'that names another revocation list',
      setExtension('2.5.29.31', '30163014a012a010860e687474703a2f2f6c6f63616c2f'),
      'cRLDistributionPoints',
    ],
    ['that names no revocation list', without('2.5.29.31'), 'cRLDistributionPoints, no other extension'],
    ['with another name in an extension', (body) => void body.extensions?.push(alternativeName()), 'no other extension'],
    ['with an extension twice', (body) => void body.extensions?.push(extension(body, '2.5.29.15')), 'no other extension'],
  ])('%s is refused', async (_what, change, rules) => {
    expect(await verdict(change)).toBe(rules);
  });
  const alternativeName = () => {
    const { tbsCertificate } = AsnConvert.parse(authorities.issuing.der, Certificate);
    const [other] = tbsCertificate.extensions ?? [];
    if (!other) throw new Error('An authority has extensions.');
    other.extnID = '2.5.29.17';
    return other;
  };

  test.each<[string, Partial<ReturnType<typeof asked>>, string]>([
    ['for longer than 90 days', { notAfter: inDays(91) }, 'lifetime'],
    ['from the future on', { notBefore: inDays(1) }, 'lifetime'],
    ['only in the past', { notBefore: inDays(-3), notAfter: inDays(-1) }, 'lifetime'],
    ['with a serial that is not random', { serial: Buffer.concat([Buffer.from([0x40]), Buffer.alloc(15)]) }, 'serial'],
  ])('valid %s is not signed', async (_what, changes, rules) => {
    const counted = counting(authorities.signer);
    await expect(issueClientCertificate({ ...asked(), ...changes, signer: counted.signer })).rejects.toThrow(
      new LintRefused('certificate', rules.split(', ')),
    );
    expect(counted.asked).toBe(0);
  });

  test('with the extensions of an authority is not signed as a client’s', async () => {
    const counted = counting(authorities.signer);
    const { tbsCertificate } = AsnConvert.parse(authorities.issuing.der, Certificate);
    const extensions = (tbsCertificate.extensions ?? []).slice(0, 3);
    const issuerCertificateDer = counted.signer.issuerCertificateDer;
    await expect(
      signCertificate({ ...asked(), profile: certificateProfiles.client, key: counted.signer, issuerCertificateDer, extensions }),
    ).rejects.toThrow(new LintRefused('certificate', ['basicConstraints', 'keyUsage']));
    expect(counted.asked).toBe(0);
  });

  test('that does not end with its last byte is refused', async () => {
    const issued = await issueClientCertificate({ ...asked(), signer: authorities.signer });
    const body = Buffer.from(AsnConvert.serialize(AsnConvert.parse(issued.der, Certificate).tbsCertificate));
    const wanted = { ...asked(), profile: certificateProfiles.client, key: authorities.signer };
    for (const other of [Buffer.concat([body, Buffer.alloc(1)]), body.subarray(0, -1), Buffer.alloc(0)]) {
      expect(broken(() => lintCertificate(other, wanted))).toBe('encoding');
    }
  });
});

describe('a revocation list', () => {
  const serials = [newSerial(), newSerial(), newSerial()].map((serial) => serial.toString('hex'));
  const content = {
    number: 8n,
    thisUpdate: now,
    nextUpdate: inDays(7),
    revoked: (['superseded', 'unspecified', 'key_compromise'] as const).map((reason, index) => ({
      serial: serials[index] ?? '',
      revokedAt: inDays(-index),
      reason,
    })),
  };
  const policy = { last: { number: 7n, thisUpdate: inDays(-1) }, lifetime: 7 * 24 * 60 * 60 * 1000 };

  /** What the rules say of a list whose parts were changed after it had been built. */
  async function verdict(change: (parts: Buffer[]) => Buffer[], more: Partial<typeof content> = {}, after = policy): Promise<string> {
    const { signer } = authorities;
    const list = await signCrl(signer, content, policy);
    const [body] = derElements(derElements(list.der)[0]?.contents ?? Buffer.alloc(0));
    const parts = derElements(body?.contents ?? Buffer.alloc(0)).map((part) => part.bytes);
    const asked = { issuerDer: signer.issuerCertificateDer, algorithm: signer.algorithm, content: { ...content, ...more }, policy: after };
    return broken(() => lintCrl(der(tags.sequence, ...change(parts)), asked));
  }
  const unchanged = (parts: Buffer[]) => parts;
  const entriesOf = (parts: Buffer[]) => derElements(derElements(parts[5] ?? Buffer.alloc(0))[0]?.contents ?? Buffer.alloc(0));
  /** The entries, each as its serial, its date and its extensions. */
  const withEntries = (change: (entries: Buffer[][]) => Buffer[][]) => (parts: Buffer[]) => {
    const entries = entriesOf(parts).map(({ contents }) => derElements(contents).map((part) => part.bytes));
    return parts.with(5, der(tags.sequence, ...change(entries).map((entry) => der(tags.sequence, ...entry))));
  };
  const withExtension = (place: number, hex: string) => (parts: Buffer[]) => {
    const list = derElements(derElements(parts[6] ?? Buffer.alloc(0))[0]?.contents ?? Buffer.alloc(0))[0];
    const extensions = derElements(list?.contents ?? Buffer.alloc(0)).map((part) => part.bytes);
    return parts.with(6, der(tags.explicit0, der(tags.sequence, ...extensions.toSpliced(place, 1, bytes(hex)))));
  };

  test('that is what was asked for breaks no rule', async () => {
    expect(await verdict(unchanged)).toBe('');
  });

  test.each<[string, (parts: Buffer[]) => Buffer[], string]>([
    ['of version 1', (parts) => parts.with(0, derInteger(0n)), 'version'],
    ['with another algorithm', (parts) => parts.with(1, bytes('300a06082a8648ce3d040303')), 'signature algorithm'],
    ['of another authority', (parts) => parts.with(2, Buffer.from(AsnConvert.serialize(commonNameOnly('Another')))), 'issuer'],
    ['of another moment', (parts) => parts.with(3, derTime(inDays(-0.5))), 'thisUpdate, nextUpdate'],
    ['with another end', (parts) => parts.with(4, derTime(inDays(6))), 'nextUpdate'],
    ['without an end', (parts) => parts.toSpliced(4, 1), 'encoding'],
    ['with a part too many', (parts) => [...parts, der(tags.sequence)], 'encoding'],
    [
      'with one entry fewer',
      withEntries((entries) => entries.slice(1)),
      'number of entries, serials of entries, dates of entries, reasons of entries',
    ],
    ['without entries', (parts) => parts.toSpliced(5, 1), 'number of entries'],
    [
      'with one entry twice',
      withEntries((entries) => [...entries, ...entries.slice(0, 1)]),
      'number of entries, serials of entries, dates of entries, reasons of entries',
    ],
    ['with another serial', withEntries(([one = [], ...others]) => [one.with(0, derInteger(5n)), ...others]), 'serials of entries'],
    ['with another date', withEntries(([one = [], ...others]) => [one.with(1, derTime(inDays(-9))), ...others]), 'dates of entries'],
    ['without a reason', withEntries(([one = [], ...others]) => [one.slice(0, 2), ...others]), 'reasons of entries'],
    [
      'with a reason too many',
      withEntries(([one = [], two = [], ...others]) => [one, [...two, ...one.slice(2)], ...others]),
      'reasons of entries',
    ],
    ['with two reasons for an entry', withEntries(([one = [], ...others]) => [[...one, ...one.slice(2)], ...others]), 'encoding'],
    ['without the key of its authority', withExtension(0, '300b0603551d15040403020640'), 'authorityKeyIdentifier'],
    ['with another key of its authority', withExtension(0, `301f0603551d23041830168014${'00'.repeat(20)}`), 'authorityKeyIdentifier'],
    ['with another number', withExtension(1, '300a0603551d140403020109'), 'number'],
    ['with a number that is longer than it need be', withExtension(1, '300b0603551d14040402020008'), 'encoding'],
    ['for some certificates', withExtension(2, '300f0603551d1c0101ff040530038101ff'), 'no other extension'],
  ])('%s is refused', async (_what, change, rules) => {
    expect(await verdict(change)).toBe(rules);
  });

  test.each<[string, Partial<typeof content>, Partial<typeof policy>, string]>([
    ['with the number of the last one', {}, { last: { number: 8n, thisUpdate: inDays(-1) } }, 'number'],
    ['made before the last one', {}, { last: { number: 7n, thisUpdate: inDays(1) } }, 'thisUpdate'],
    ['valid for longer than a week', { nextUpdate: inDays(8) }, {}, 'nextUpdate'],
    ['that ends as it begins', { nextUpdate: now }, {}, 'nextUpdate'],
    ['that names a serial twice', { revoked: [...content.revoked, ...content.revoked] }, {}, 'no entry twice'],
    ['of what will be revoked', { revoked: [{ serial: '41', revokedAt: inDays(1), reason: 'superseded' }] }, {}, 'dates of entries'],
    ['with the serial 0', { revoked: [{ serial: '00', revokedAt: now, reason: 'superseded' }] }, {}, 'encoding'],
    [
      'with a serial of 21 bytes',
      { revoked: [{ serial: '41'.repeat(21), revokedAt: now, reason: 'superseded' }] },
      {},
      'serials of entries',
    ],
  ])('%s is not signed', async (_what, changes, after, rules) => {
    const counted = counting(authorities.signer);
    await expect(signCrl(counted.signer, { ...content, ...changes }, { ...policy, ...after })).rejects.toThrow(
      new LintRefused('revocation list', rules.split(', ')),
    );
    expect(counted.asked).toBe(0);
  });
});
