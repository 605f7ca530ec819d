import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../../support/clients/pages.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type CertificateData, type PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

const day = 24 * 60 * 60 * 1000;
type Listed = {
  clientId: string;
  commonName: string;
  authorityId: string | null;
  own: boolean;
  integration: { slug: string };
  owner: { id: string; email: string };
  certificate: CertificateData;
};
type Integration = Awaited<ReturnType<PortalClient['createIntegration']>>;

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
let neighbour: PortalClient;
let integration: Integration;
/** Issued, and ending in 90 days. */
let usable: CertificateData;
/** Its overlap ends in 14 days, because `usable` has replaced it. */
let replaced: CertificateData;
/** Of another operator: its time is up. */
let expired: CertificateData;
let pending: CertificateData;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  admin = await administrator(application);
  await admin.confirmFreshly();
  owner = await application.operator('anna.keller@example.org');
  integration = await owner.createIntegration();
  replaced = await owner.issuedCertificate(integration);
  usable = await owner.issuedCertificate(integration);
  neighbour = await application.operator('omar.haddad@example.net');
  const other = await neighbour.createIntegration();
  expired = await neighbour.issuedCertificate(other);
  await application.rows('update certificate set usable_until = $2, slot = null where id = $1', [expired.id, new Date(Date.now() - day)]);
  pending = (await neighbour.requestCertificate(other)).data as CertificateData;
});
afterAll(() => application.close());

const page = (filter: Record<string, unknown> = {}, more: object = {}) =>
  admin.must<Connection<Listed>>('allCertificates', { filter, ...more });
const found = async (filter: Record<string, unknown> = {}) => (await page(filter)).edges.map(({ node }) => node.certificate.id);
const entriesOf = (id: string) =>
  application.rows<{ details: Record<string, unknown>; operator_id: string; actor_id: string }>(
    `select details, operator_id, actor_id from audit_entry where subject_id = $1 and action = 'certificate.revoked'`,
    [id],
  );
const mails = () =>
  application.rows<{ operator_id: string; details: Record<string, unknown> }>(
    `select operator_id, details from mail where kind = 'certificates_revoked' order by created_at, id`,
  );

test('administrators see everybody’s certificates, newest first, with owner and integration, and turn pages', async () => {
  const { edges } = await page();
  expect(edges.map(({ node }) => node.certificate.id)).toEqual([pending.id, expired.id, usable.id, replaced.id]);
  expect(edges[2]?.node).toMatchObject({
    clientId: integration.clientId,
    commonName: integration.commonName,
    own: false,
    integration: { slug: integration.slug },
    owner: { email: 'anna.keller@example.org' },
    certificate: { status: 'issued', serial: usable.serial },
  });
  expect(edges[0]?.node.authorityId).toBeNull();
  for (const [filter, all] of [
    [{}, [pending.id, expired.id, usable.id, replaced.id]],
    [{ status: 'issued' }, [replaced.id, usable.id]],
  ] as const) {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const { edges: one, pageInfo }: Connection<Listed> = await page(filter, { first: 1, after });
      ids.push(...one.map(({ node }) => node.certificate.id));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(ids).toEqual(all);
  }
  const byAge = (await page({}, { first: 1 })).pageInfo.endCursor;
  expect(codesOf(await admin.call('allCertificates', { filter: { status: 'issued' }, after: byAge }))).toEqual(['BAD_USER_INPUT']);
});

test('a certificate is found by whatever names it, also as openssl prints it', async () => {
  const both = [usable.id, replaced.id];
  const fingerprint = usable.fingerprintSha256?.toUpperCase().match(/../g)?.join(':');
  for (const [search, ids] of [
    [usable.id, [usable.id]],
    [usable.serial, [usable.id]],
    [`serial=${usable.serial?.toUpperCase()}`, [usable.id]],
    [`sha256 Fingerprint=${fingerprint}`, [usable.id]],
    [integration.commonName, both],
    [integration.clientId, both],
    [integration.id, both],
    [integration.slug.slice(2), both],
    ['Anna.Keller@', both],
    ['nobody@example.org', []],
    ['f'.repeat(32), []],
    [`crt_${'0'.repeat(26)}`, []],
  ] as const)
    expect([search, await found({ search })]).toEqual([search, ids]);
  expect(await found({ search: integration.slug, expiresWithinDays: 20 })).toEqual([replaced.id]);
});

test('filters by status, end, source and authority narrow the list, and what does not fit is refused at its field', async () => {
  const [{ node } = { node: undefined }] = (await page({ search: usable.id })).edges;
  for (const [filter, ids] of [
    [{ status: 'pending' }, [pending.id]],
    [{ status: 'expired' }, [expired.id]],
    [{ status: 'failed' }, []],
    [{ expiresWithinDays: 20 }, [replaced.id]],
    [{ expiresWithinDays: 90 }, [replaced.id, usable.id]],
    [{ source: 'p12' }, []],
    [{ source: 'csr', status: 'pending' }, [pending.id]],
    [{ authorityId: node?.authorityId }, [expired.id, usable.id, replaced.id]],
    [{ authorityId: node?.authorityId, status: 'pending' }, []],
    [{ authorityId: 'issuing-none' }, []],
  ] as const)
    expect([filter, await found(filter)]).toEqual([filter, ids]);
  const refused = async (filter: object) => fieldsOf(await admin.call('allCertificates', { filter }));
  expect(await refused({ expiresWithinDays: 91 })).toEqual({
    'filter.expiresWithinDays': 'Choose 1 to 90 days; no certificate lives longer.',
  });
  expect(await refused({ expiresWithinDays: 7, status: 'revoked' })).toEqual({
    'filter.expiresWithinDays': 'Only issued certificates have an end to filter by. Leave out the other statuses.',
  });
});

test('administrators see the authorities, and their revocation lists once there are any', async () => {
  const authorities =
    await admin.must<{ id: string; kind: string; issues: boolean; hasKey: boolean; crl: object | null }[]>('certificateAuthorities');
  expect(authorities.map(({ kind, issues, hasKey }) => [kind, issues, hasKey])).toEqual([
    ['issuing', true, true],
    ['root', false, true],
  ]);
});

test('an administrator revokes a certificate: the owner is mailed and reads the reason in the trail, and a list is asked for', async () => {
  const input = { certificateId: replaced.id, revocationReason: 'key_compromise', reason: ' The key is in a public repository. ' };
  expect(fieldsOf(await admin.call('revokeAnyCertificate', { input: { ...input, reason: ' ' } }))).toHaveProperty(['input.reason']);
  expect(await mails()).toEqual([]);
  const revoked = await admin.must<CertificateData>('revokeAnyCertificate', { input });
  expect(revoked).toMatchObject({ id: replaced.id, status: 'revoked', revocationReason: 'key_compromise' });
  const reason = 'The key is in a public repository.';
  const operatorId = (await owner.viewer()).data?.operatorId;
  expect(await entriesOf(replaced.id)).toEqual([
    { details: { revocationReason: 'key_compromise', reason }, operator_id: operatorId, actor_id: (await admin.viewer()).data?.operatorId },
  ]);
  const facts = {
    environment: 'sandbox',
    commonName: integration.commonName,
    certificates: 1,
    which: 'one',
    reason,
    serial: replaced.serial,
  };
  expect(await mails()).toEqual([{ operator_id: operatorId, details: facts }]);
  expect(await application.rows(`select 1 from graphile_worker.jobs where task_identifier = 'publishCrls'`)).toHaveLength(1);
  expect(codesOf(await admin.call('revokeAnyCertificate', { input }))).toEqual(['CONFLICT']);
  expect(await mails()).toHaveLength(1);
  expect(await found({ status: 'revoked' })).toEqual([replaced.id]);
  // Lists are gathered for some seconds.
  await application.rows('update graphile_worker._private_jobs set run_at = now()');
  await application.work();
  const [issuing] = await admin.must<{ crl: { number: number; revoked: number } | null }[]>('certificateAuthorities');
  expect(issuing?.crl).toMatchObject({ revoked: 1 });
});

test('an administrator revokes all certificates of a client at once, pending ones too; what has ended stays as it is, and the client can go on', async () => {
  const { clientId } = (await page({ search: pending.id })).edges[0]?.node ?? { clientId: '' };
  await application.rows('update certificate set not_after = usable_until where id = $1', [expired.id]);
  const again = { clientId, revocationReason: 'unspecified', reason: 'The operator asked for it.' };
  const before = (await mails()).length;
  await neighbour.confirmFreshly();
  const { certificate: packaged } = await neighbour.must<{ certificate: { id: string } }>('requestP12', { input: { clientId } });
  expect(await found({ source: 'p12' })).toEqual([packaged.id]);
  expect(await admin.must('revokeClientCertificates', { input: again })).toEqual({ revoked: 2 });
  expect(await found({ search: clientId, status: 'revoked' })).toEqual([packaged.id, pending.id]);
  expect(await application.rows('select status, sealed from p12_package where certificate_id = $1', [packaged.id])).toEqual([
    { status: 'revoked', sealed: null },
  ]);
  expect(await found({ search: clientId, status: 'expired' })).toEqual([expired.id]);
  expect(await entriesOf(pending.id)).toMatchObject([{ details: { revocationReason: 'unspecified', reason: again.reason } }]);
  expect((await mails()).slice(before)).toMatchObject([{ details: { certificates: 2, which: 'all', reason: again.reason } }]);
  expect(codesOf(await admin.call('revokeClientCertificates', { input: again }))).toEqual(['CONFLICT']);
  expect((await mails()).length).toBe(before + 1);
  await application.work();
  expect((await owner.issuedCertificate(integration)).status).toBe('issued');
});

test('nobody administers certificates of their own', async () => {
  const own = await admin.createIntegration();
  const certificate = await admin.issuedCertificate(own);
  expect((await page({ search: certificate.id })).edges[0]?.node.own).toBe(true);
  const why = { revocationReason: 'unspecified', reason: 'r' };
  expect(codesOf(await admin.call('revokeAnyCertificate', { input: { certificateId: certificate.id, ...why } }))).toEqual(['FORBIDDEN']);
  expect(codesOf(await admin.call('revokeClientCertificates', { input: { clientId: own.clientId, ...why } }))).toEqual(['FORBIDDEN']);
  expect(await found({ search: certificate.id, status: 'issued' })).toEqual([certificate.id]);
});
