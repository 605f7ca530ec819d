import 'reflect-metadata';
import { X509Crl, X509CrlReason } from '@peculiar/x509';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AsnConvert } from '@peculiar/asn1-schema';
import { CertificateList, CRLNumber, id_ce_cRLNumber } from '@peculiar/asn1-x509';
import { revocationReasons } from '../../../../server/domain/certificate/Certificate.ts';
import { issueClientCertificate, newSerial } from '../../../../server/domain/certificate/certificateAuthority.ts';
import type { CrlContent } from '../../../../server/domain/certificate/crl/publication/CrlContent.ts';
import { signCrl } from '../../../../server/domain/certificate/crl/publication/signCrl.ts';
import { derElements } from '../../../../server/domain/shared/der/derElements.ts';
import { commonName, ecKey, spkiOf } from '../csrFactory.ts';
import { firstList, makeAuthorities } from '../authorityFactory.ts';
import { checkRevocation } from './checkRevocation.ts';

const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
let authorities: Awaited<ReturnType<typeof makeAuthorities>>;
beforeAll(async () => {
  authorities = await makeAuthorities(now);
});

const content = (changes: Partial<CrlContent> = {}): CrlContent => ({
  number: 1n,
  thisUpdate: now,
  nextUpdate: inDays(7),
  revoked: [],
  ...changes,
});
const sign = (changes: Partial<CrlContent> = {}) => signCrl(authorities.signer, content(changes), firstList);

describe('a relying party', () => {
  const issue = () =>
    issueClientCertificate({
      signer: authorities.signer,
      publicKeyDer: spkiOf(ecKey()),
      commonName,
      now,
      serial: newSerial(),
      notBefore: now,
      notAfter: inDays(90),
      crlDistributionUrl: 'http://localhost/crl/issuing.crl',
    });

  test('refuses a certificate that was revoked for any reason, and accepts the one beside it', async () => {
    const { issuing, root, rootSigner } = authorities;
    const good = await issue();
    const revoked = await Promise.all(revocationReasons.map(async (reason) => ({ reason, certificate: await issue() })));
    const named = revoked.map(({ reason, certificate }) => ({ serial: certificate.serialHex, revokedAt: now, reason }));
    const lists = [(await sign({ revoked: named })).der, (await signCrl(rootSigner, content(), firstList)).der];
    const check = (leaf: string) => checkRevocation({ leaf, issuing: issuing.pem, root: root.pem, lists });
    expect(await check(good.pem)).toBe('good');
    for (const { reason, certificate } of revoked) expect([reason, await check(certificate.pem)]).toEqual([reason, 'revoked']);
  });

  test('refuses everything an authority issued that is itself revoked, and cannot do without the root’s list', async () => {
    const { issuing, root, rootSigner } = authorities;
    const leaf = (await issue()).pem;
    const { der: own } = await sign();
    const above = await signCrl(
      rootSigner,
      content({ revoked: [{ serial: issuing.serialHex, revokedAt: now, reason: 'key_compromise' }] }),
      firstList,
    );
    const check = (...lists: Buffer[]) => checkRevocation({ leaf, issuing: issuing.pem, root: root.pem, lists });
    expect(await check(own, above.der)).toBe('revoked');
    expect(await check(own)).toBe('no valid list');
  });
});

describe('a list', () => {
  test('says when and why each certificate was revoked, and leaves out a reason that says nothing', async () => {
    const revoked = revocationReasons.map((reason, index) => ({
      serial: newSerial().toString('hex'),
      revokedAt: new Date(now.getTime() - index * 1000),
      reason,
    }));
    const { entries, thisUpdate, nextUpdate } = new X509Crl((await sign({ revoked })).der);
    expect([thisUpdate, nextUpdate]).toEqual([now, inDays(7)]);
    const reasons = {
      key_compromise: X509CrlReason.keyCompromise,
      superseded: X509CrlReason.superseded,
      cessation_of_operation: X509CrlReason.cessationOfOperation,
    };
    expect(entries.map(({ serialNumber, revocationDate, reason }) => ({ serialNumber, revocationDate, reason }))).toEqual(
      revoked.map(({ serial, revokedAt, reason }) => ({
        serialNumber: serial,
        revocationDate: revokedAt,
        reason: reason === 'unspecified' ? undefined : reasons[reason],
      })),
    );
    expect(entries.filter(({ extensions }) => extensions.length === 0)).toHaveLength(1);
  });

  test.each([1n, 127n, 128n, 255n, 256n, 65_536n])('has the number %s as the shortest positive integer', async (number) => {
    const { tbsCertList } = AsnConvert.parse((await sign({ number })).der, CertificateList);
    const value = tbsCertList.crlExtensions?.find(({ extnID }) => extnID === id_ce_cRLNumber)?.extnValue.buffer ?? new ArrayBuffer(0);
    expect(AsnConvert.parse(value, CRLNumber).value).toBe(Number(number));
    expect(Buffer.from(AsnConvert.serialize(new CRLNumber(Number(number))))).toEqual(Buffer.from(value));
  });

  test('without entries leaves them out instead of naming none', async () => {
    const { der } = await sign();
    expect(AsnConvert.parse(der, CertificateList).tbsCertList.revokedCertificates).toBeUndefined();
    const [list] = derElements(der);
    const [body] = derElements(list?.contents ?? der);
    expect(derElements(body?.contents ?? der).map(({ tag }) => tag)).toEqual([0x02, 0x30, 0x30, 0x17, 0x17, 0xa0]);
  });

  test('writes times until 2049 with two digits of the year, and later ones with four', async () => {
    const thisUpdate = new Date('2049-12-31T23:59:59Z');
    const nextUpdate = new Date('2050-01-01T00:00:00Z');
    const { der } = await sign({ thisUpdate, nextUpdate });
    expect(der.includes(Buffer.from('\x17\x0d491231235959Z\x18\x0f20500101000000Z', 'latin1'))).toBe(true);
    expect(new X509Crl(der)).toMatchObject({ thisUpdate, nextUpdate });
  });

  test('is encoded as a library encodes it, also with thousands of entries', async () => {
    const revoked = Array.from({ length: 1_000 }, () => ({
      serial: newSerial().toString('hex'),
      revokedAt: now,
      reason: 'superseded' as const,
    }));
    const { der } = await sign({ revoked });
    const list = AsnConvert.parse(der, CertificateList);
    expect(list.tbsCertList.revokedCertificates).toHaveLength(1_000);
    expect(Buffer.from(AsnConvert.serialize(list)).equals(der)).toBe(true);
  });

  test('whose signature does not belong to the authority is not published', async () => {
    const { signer, rootSigner } = authorities;
    await expect(signCrl({ ...signer, sign: (data) => rootSigner.sign(data) }, content(), firstList)).rejects.toThrow('does not verify');
  });
});
