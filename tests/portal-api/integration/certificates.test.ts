import { createPublicKey, randomBytes, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';
import { failCertificate } from '../../../server/domain/certificate/issueCertificate.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import {
  codesOf,
  fieldsOf,
  newKey,
  requestFor,
  type CertificateData,
  type IntegrationData,
  type PortalClient,
} from '../../support/clients/portalClient.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let application: PortalWorld;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
});
afterAll(() => application.close());

beforeEach(async () => {
  await owner.signIn();
  integration = await owner.createIntegration();
  await owner.confirmFreshly();
});

const certificates = () => owner.certificates(integration.slug);
const bundleOf = async ({ bundlePath }: Pick<CertificateData, 'bundlePath'>, client = owner) =>
  client.fetch(bundlePath ?? '/certificates/none/bundle.pem');
/** Moves to a later day. The old session has ended by then, so the owner signs in and confirms again. */
const later = async (milliseconds: number) => {
  application.clock.advance(milliseconds);
  await owner.signIn();
  await owner.confirmFreshly();
};

describe('a fresh passkey', () => {
  test('is needed for requesting and for revoking, and its confirmation ends after five minutes', async () => {
    const { id } = await owner.issuedCertificate(integration);
    application.clock.advance(5 * minute);
    expect(codesOf(await owner.requestCertificate(integration))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    expect(codesOf(await owner.revokeCertificate(id))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    await owner.confirmFreshly();
    application.clock.advance(4 * minute);
    expect((await owner.revokeCertificate(id)).errors).toEqual([]);
    expect((await owner.requestCertificate(integration)).errors).toEqual([]);
  });
});

describe('renewal without a person', () => {
  const setRenewal = (enabled: boolean) => owner.call('setRenewalByEst', { input: { clientId: integration.clientId, enabled } });
  const switchings = async () => {
    const entries = await application.rows<{ action: string }>(
      `select action from audit_entry where subject_id = $1 and action like 'client.renewal%' order by id`,
      [integration.clientId],
    );
    return entries.map(({ action }) => action);
  };

  test('is off until the owner switches it on with a fresh passkey, and each change is in the audit trail', async () => {
    expect((await setRenewal(false)).data).toEqual({ id: integration.clientId, renewalByEst: false });
    expect(await switchings()).toEqual([]);
    expect((await setRenewal(true)).data).toEqual({ id: integration.clientId, renewalByEst: true });
    expect((await setRenewal(true)).data).toEqual({ id: integration.clientId, renewalByEst: true });
    expect((await setRenewal(false)).data).toEqual({ id: integration.clientId, renewalByEst: false });
    expect(await switchings()).toEqual(['client.renewal_switched_on', 'client.renewal_switched_off']);
    application.clock.advance(5 * minute);
    expect(codesOf(await setRenewal(true))).toEqual(['FRESH_PASSKEY_REQUIRED']);
  });

  test('cannot be switched on for a retired integration', async () => {
    await owner.must('retireIntegration', { input: { integrationId: integration.id } });
    expect(codesOf(await setRenewal(true))).toEqual(['CONFLICT']);
  });
});

test('the owner reads those in use apart from those that have ended, and one by its ID', async () => {
  const revoked = await owner.issuedCertificate(integration);
  await owner.revokeCertificate(revoked.id);
  const usable = await owner.issuedCertificate(integration);
  const idsOf = async (variables: Record<string, unknown>, clientId = integration.clientId) => {
    const { edges } = await owner.must<{ edges: { node: { id: string } }[] }>('certificates', { clientId, ...variables });
    return edges.map(({ node }) => node.id);
  };
  expect(await idsOf({})).toEqual([usable.id, revoked.id]);
  expect(await idsOf({ selection: 'inUse' })).toEqual([usable.id]);
  expect(await idsOf({ selection: 'ended' })).toEqual([revoked.id]);
  expect(await idsOf({ selection: 'inUse', id: revoked.id })).toEqual([revoked.id]);
  const another = await owner.createIntegration();
  expect(await idsOf({ id: usable.id }, another.clientId)).toEqual([]);
});

describe('requesting a certificate', () => {
  test('is pending until the worker has issued it for 90 days', async () => {
    const key = newKey();
    const { data } = await owner.requestCertificate(integration, key);
    expect(data).toMatchObject({
      id: expect.stringMatching(/^crt_/),
      status: 'pending',
      keyType: expect.stringContaining('P-256'),
      serial: null,
      bundlePath: null,
    });
    expect((await certificates())[0]).toMatchObject({ status: 'pending' });
    expect((await bundleOf({ bundlePath: `/certificates/${data?.id}/bundle.pem` })).status).toBe(404);

    await application.work();
    const [issued] = await certificates();
    expect(issued).toMatchObject({ id: data?.id, status: 'issued', failure: null, usableUntil: issued?.notAfter });
    const leaf = new X509Certificate(await (await bundleOf(issued as CertificateData)).text());
    expect(leaf.subject).toBe(`CN=${integration.commonName}`);
    expect(leaf.publicKey.equals(createPublicKey(key))).toBe(true);
    expect(leaf.serialNumber.toLowerCase()).toBe(issued?.serial);
    expect(leaf.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(issued?.fingerprintSha256);
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(leaf.ca).toBe(false);
    expect(leaf.validToDate.getTime() - leaf.validFromDate.getTime()).toBe(90 * day + 5 * minute);
    expect(leaf.validToDate.toISOString()).toBe(issued?.notAfter);
  });

  test.each([
    [
      'another common name',
      () => requestFor('svc:sandbox:cli_other'),
      /names CN=svc:sandbox:cli_other. It must be exactly svc:sandbox:cli_/,
    ],
    ['no text at all', () => '', /not a certificate request/],
    ['any other text', () => 'hello', /not a certificate request/],
    ['too much text', () => 'x'.repeat(17_000), /larger than 16 KiB/],
    ['a private key', () => newKey().export({ format: 'pem', type: 'pkcs8' }).toString(), /private key/],
  ])('is refused for %s at the field, in words, and takes no slot', async (_what, csr, words) => {
    const answer = await owner.call('requestCertificate', { input: { clientId: integration.clientId, csr: csr() } });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(fieldsOf(answer)).toEqual({ 'input.csr': expect.stringMatching(words) });
    expect(await certificates()).toEqual([]);
  });

  test('is recorded in the audit trail: requested, issued, revoked', async () => {
    const { id } = await owner.issuedCertificate(integration);
    await owner.revokeCertificate(id, 'key_compromise');
    const entries = await application.rows(
      'select actor_type, action, integration_id, details from audit_entry where subject_id = $1 order by id',
      [id],
    );
    expect(entries).toEqual([
      {
        actor_type: 'operator',
        action: 'certificate.requested',
        integration_id: integration.id,
        details: expect.objectContaining({ environment: 'sandbox' }),
      },
      { actor_type: 'system', action: 'certificate.issued', integration_id: integration.id, details: { serial: expect.any(String) } },
      { actor_type: 'operator', action: 'certificate.revoked', integration_id: integration.id, details: { reason: 'key_compromise' } },
    ]);
  });

  const keyUsedBefore = { 'input.csr': expect.stringMatching(/already been requested for this key.*Create a new key/) };

  test('is refused for ever with a key that has had a certificate: in use, replaced, revoked for any reason, withdrawn while pending', async () => {
    const inUse = newKey();
    const first = await owner.issuedCertificate(integration, inUse);
    expect(fieldsOf(await owner.requestCertificate(integration, inUse))).toEqual(keyUsedBefore);
    await owner.issuedCertificate(integration);
    await later(15 * day);
    expect((await certificates()).find(({ id }) => id === first.id)?.status).toBe('expired');
    expect(fieldsOf(await owner.requestCertificate(integration, inUse))).toEqual(keyUsedBefore);
    for (const reason of ['superseded', 'key_compromise', 'cessation_of_operation', 'unspecified']) {
      const key = newKey();
      const { data } = await owner.requestCertificate(integration, key);
      await owner.revokeCertificate(data?.id ?? '', reason);
      expect(fieldsOf(await owner.requestCertificate(integration, key))).toEqual(keyUsedBefore);
    }
  });

  test('is refused with the key of somebody else’s client in the same words, which do not tell whose it is', async () => {
    const key = newKey();
    await owner.issuedCertificate(integration, key);
    const own = fieldsOf(await owner.requestCertificate(integration, key));
    const other = await application.operator();
    const otherIntegration = await other.createIntegration();
    await other.confirmFreshly();
    expect(fieldsOf(await other.requestCertificate(otherIntegration, key))).toEqual(own);
    expect(own).toEqual(keyUsedBefore);
  });

  test('is taken again with the same key after its issuance failed', async () => {
    const key = newKey();
    const { data } = await owner.requestCertificate(integration, key);
    await failCertificate(application.orm.em.fork(), data?.id ?? '');
    expect((await owner.requestCertificate(integration, key)).errors).toEqual([]);
    expect(fieldsOf(await owner.requestCertificate(integration, key))).toEqual(keyUsedBefore);
  });

  test('with one key for ten integrations at the same moment is taken for one of them', async () => {
    const key = newKey();
    const clients = [];
    for (let index = 0; index < 10; index += 1) clients.push(await owner.createIntegration());
    const answers = await Promise.all(clients.map((client) => owner.copy().requestCertificate(client, key)));
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(1);
    for (const answer of answers.filter(({ data }) => data === null)) expect(fieldsOf(answer)).toEqual(keyUsedBefore);
  });
});

describe('the files of a key', () => {
  const nextKeyName = async () => (await owner.must<IntegrationData>('integration', { slug: integration.slug })).clients[0]?.nextKeyName;

  test('are called after environment and month, and a second key of the month gets another name', async () => {
    const month = application.clock.now().toISOString().slice(0, 7);
    const [first, second, third] = ['', '-2', '-3'].map((suffix) => `sandbox-${month}${suffix}`);
    expect(await nextKeyName()).toBe(first);
    const issued = await owner.issuedCertificate(integration);
    expect(issued.keyName).toBe(first);
    expect(await nextKeyName()).toBe(second);
    const { data } = await owner.requestCertificate(integration);
    expect(data?.keyName).toBe(second);
    expect(await nextKeyName()).toBe(third);
    // The name of a certificate that failed is free again, as its key is; that of a revoked one is not.
    await failCertificate(application.orm.em.fork(), data?.id ?? '');
    await owner.revokeCertificate(issued.id);
    expect(await nextKeyName()).toBe(second);
    await later(31 * day);
    expect(await nextKeyName()).toBe(`sandbox-${application.clock.now().toISOString().slice(0, 7)}`);
  });
});

describe('the bundle', () => {
  test('is the leaf and then the public chain, verifies, and holds no private key', async () => {
    const response = await bundleOf(await owner.issuedCertificate(integration));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/pem-certificate-chain');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="sandbox-\d{4}-\d\d\.pem"$/);
    const text = await response.text();
    expect(text).not.toContain('PRIVATE');
    const chain = text.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => new X509Certificate(pem));
    expect(chain).toHaveLength(3);
    const [leaf, issuing, root] = chain as [X509Certificate, X509Certificate, X509Certificate];
    expect(leaf.subject).toBe(`CN=${integration.commonName}`);
    expect([leaf.checkIssued(issuing), issuing.checkIssued(root), root.checkIssued(root)]).toEqual([true, true, true]);
    expect([leaf.verify(issuing.publicKey), issuing.verify(root.publicKey), root.verify(root.publicKey)]).toEqual([true, true, true]);
    expect([leaf.ca, issuing.ca, root.ca]).toEqual([false, true, true]);
  });

  test('needs a session, and a full one', async () => {
    const certificate = await owner.issuedCertificate(integration);
    const visitor = application.browser();
    const anonymous = await bundleOf(certificate, visitor);
    expect(anonymous.status).toBe(401);
    expect(await anonymous.json()).toMatchObject({ code: 'unauthenticated', status: 401 });
    await visitor.beginEnrolment();
    expect((await bundleOf(certificate, visitor)).status).toBe(401);
  });
});

describe('at most two certificates of a client are pending or usable', () => {
  test('the third request is refused in words', async () => {
    for (let turn = 0; turn < 2; turn += 1) expect((await owner.requestCertificate(integration)).errors).toEqual([]);
    const third = await owner.requestCertificate(integration);
    expect(codesOf(third)).toEqual(['CONFLICT']);
    expect(third.errors[0]?.message).toContain('already has 2 certificates');
    await application.work();
    expect(codesOf(await owner.requestCertificate(integration))).toEqual(['CONFLICT']);
  });

  test('of 30 requests at the same moment two are taken', async () => {
    const csrs = Array.from({ length: 30 }, () => requestFor(integration.commonName));
    const answers = await Promise.all(
      csrs.map((csr) => owner.copy().call('requestCertificate', { input: { clientId: integration.clientId, csr } })),
    );
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(2);
    for (const answer of answers.filter(({ data }) => data === null)) expect(codesOf(answer)).toEqual(['CONFLICT']);
    expect(await certificates()).toHaveLength(2);
  });

  test('an owner requests 20 within a day, revoked ones included; renewals, failed requests and the other client do not count', async () => {
    const number = await numberOfClient(application, integration.slug);
    const add = (source: string, status: string) =>
      application.rows(
        `insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by, revoked_at, revocation_reason)
         select 'crt_' || md5($2 || n), k.number, $2, $3, 'EC P-256', $4, i.operator_id, case $3 when 'revoked' then now() end, case $3 when 'revoked' then 'superseded' end
           from generate_series(1, 20) n, client k join integration i on i.id = k.integration_id where k.number = $1`,
        [number, source, status, application.clock.now()],
      );
    await add('csr', 'failed');
    await add('est', 'revoked');
    for (let turn = 0; turn < 19; turn += 1) {
      const { data } = await owner.requestCertificate(integration);
      await owner.revokeCertificate(data?.id ?? '');
    }
    application.clock.advance(minute);
    expect(
      (await owner.must<{ certificate: CertificateData }>('requestP12', { input: { clientId: integration.clientId } })).certificate.status,
    ).toBe('pending');
    const refused = await owner.requestCertificate(integration);
    expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
    expect(refused.errors[0]?.message).toContain('At most 20 sandbox certificates can be requested within a day');
    expect(codesOf(await owner.call('requestP12', { input: { clientId: integration.clientId } }))).toEqual(['RATE_LIMITED']);
    expect((await owner.requestCertificate(await owner.createIntegration())).errors).toEqual([]);
    await later(day - minute);
    expect((await owner.requestCertificate(integration)).errors).toEqual([]);
  });

  test('revoking frees the slot, also while pending', async () => {
    const first = await owner.requestCertificate(integration);
    await owner.issuedCertificate(integration);
    await owner.revokeCertificate(first.data?.id ?? '');
    expect((await owner.requestCertificate(integration)).errors).toEqual([]);
    expect(codesOf(await owner.requestCertificate(integration))).toEqual(['CONFLICT']);
  });

  test('a failed one frees its slot and says why', async () => {
    const { data } = await owner.requestCertificate(integration);
    await failCertificate(application.orm.em.fork(), data?.id ?? '');
    expect((await certificates())[0]).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('Request the certificate again'),
    });
    expect(codesOf(await owner.revokeCertificate(data?.id ?? ''))).toEqual(['CONFLICT']);
    for (let turn = 0; turn < 2; turn += 1) expect((await owner.requestCertificate(integration)).errors).toEqual([]);
  });

  test('a second one limits the first to 14 days; then it reads expired and its slot is free', async () => {
    const first = await owner.issuedCertificate(integration);
    await later(10 * day);
    const secondIssuedAt = application.clock.now().getTime();
    const second = await owner.issuedCertificate(integration);
    const [newest, oldest] = await certificates();
    expect(newest).toMatchObject({ id: second.id, status: 'issued', usableUntil: second.notAfter });
    expect(oldest).toMatchObject({ id: first.id, status: 'issued', notAfter: first.notAfter });
    expect(Math.abs(Date.parse(oldest?.usableUntil ?? '') - secondIssuedAt - 14 * day)).toBeLessThan(10_000);
    expect(codesOf(await owner.requestCertificate(integration))).toEqual(['CONFLICT']);

    await later(14 * day + minute);
    expect((await certificates()).map(({ status }) => status)).toEqual(['issued', 'expired']);
    const third = await owner.requestCertificate(integration);
    expect(third.errors).toEqual([]);
    await owner.revokeCertificate(third.data?.id ?? '');
  });

  test('expires after 90 days', async () => {
    await owner.issuedCertificate(integration);
    await later(90 * day - minute);
    expect((await certificates())[0]?.status).toBe('issued');
    await later(2 * minute);
    expect((await certificates())[0]?.status).toBe('expired');
  });
});

describe('the list of a client’s certificates', () => {
  type Page = { edges: { node: CertificateData }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  const page = (asked: Record<string, unknown>) => owner.must<Page>('certificates', { clientId: integration.clientId, ...asked });

  test('has those in use first, however many there have been since, then the others from the newest on, page by page', async () => {
    const usable = await owner.issuedCertificate(integration);
    for (let turn = 0; turn < 4; turn += 1) {
      application.clock.advance(1000);
      const { data } = await owner.requestCertificate(integration);
      await owner.revokeCertificate(data?.id ?? '');
    }
    const seen: CertificateData[] = [];
    let after: string | null = null;
    for (let turn = 0; turn < 3; turn += 1) {
      const { edges, pageInfo }: Page = await page({ first: 2, after });
      seen.push(...edges.map(({ node }) => node));
      expect(pageInfo.hasNextPage).toBe(turn < 2);
      after = pageInfo.endCursor;
    }
    expect(seen.map(({ status }) => status)).toEqual(['issued', 'revoked', 'revoked', 'revoked', 'revoked']);
    expect(seen[0]?.id).toBe(usable.id);
    const times = seen.slice(1).map(({ requestedAt }) => requestedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
  });

  test('has at most 100 a page', async () => {
    for (const first of [0, 101]) {
      const answer = await owner.call('certificates', { clientId: integration.clientId, first });
      expect(fieldsOf(answer)).toEqual({ first: 'A page has 1 to 100 items.' });
    }
    expect((await page({ first: 100 })).edges).toEqual([]);
  });

  test('of those in use there are only pending and usable ones, two at most', async () => {
    const inUse = async () => {
      const { clients } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
      return clients[0]?.certificatesInUse.map(({ id, status }) => [id, status]);
    };
    const first = await owner.issuedCertificate(integration);
    const second = await owner.requestCertificate(integration);
    expect(await inUse()).toEqual([
      [second.data?.id, 'pending'],
      [first.id, 'issued'],
    ]);
    await owner.revokeCertificate(second.data?.id ?? '');
    expect(await inUse()).toEqual([[first.id, 'issued']]);
    await later(90 * day + minute);
    expect(await inUse()).toEqual([]);
  });
});

describe('revoking', () => {
  test.each(['superseded', 'key_compromise', 'cessation_of_operation', 'unspecified'])('states the reason: %s', async (reason) => {
    const { id } = await owner.issuedCertificate(integration);
    const { data } = await owner.revokeCertificate(id, reason);
    expect(data).toMatchObject({ id, status: 'revoked', revocationReason: reason, revokedAt: expect.any(String) });
  });

  test('again changes nothing', async () => {
    const { id } = await owner.issuedCertificate(integration);
    const first = await owner.revokeCertificate(id, 'superseded');
    application.clock.advance(minute);
    const second = await owner.revokeCertificate(id, 'unspecified');
    expect(second.data).toEqual(first.data);
    expect(await application.rows("select 1 from audit_entry where subject_id = $1 and action = 'certificate.revoked'", [id])).toHaveLength(
      1,
    );
  });

  test('a pending one stays revoked when the worker comes to it', async () => {
    const { data } = await owner.requestCertificate(integration);
    await owner.revokeCertificate(data?.id ?? '');
    await application.work();
    expect((await certificates())[0]).toMatchObject({ status: 'revoked', serial: null, bundlePath: null });
  });

  test.each(['', 'stolen', null])('needs a reason of the list, not %j', async (reason) => {
    const answer = await owner.call('revokeCertificate', { input: { certificateId: `crt_${randomBytes(8).toString('hex')}`, reason } });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  });
});
