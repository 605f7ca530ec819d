import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { type CertificateData, codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { writeRequests } from '../../support/world/usageFixtures.ts';

const hour = 60 * 60 * 1000;
type Usage = {
  from: string;
  hours: number;
  counts: { hour: string; operation: string; status: number; count: number }[];
  [field: string]: unknown;
};
type Page = {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { cursor: string; node: { id: string; status: number; title: string; reason: string | null; [field: string]: unknown } }[];
};

let application: PortalWorld;
let operator: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
let certificate: CertificateData;
let clientNumber: number;
let replaced: CertificateData;
let written: FinishedRequest[];
beforeAll(async () => {
  application = await openWorld({ portal: true });
  operator = await application.operator();
  integration = await operator.createIntegration();
  replaced = await operator.issuedCertificate(integration);
  certificate = await operator.issuedCertificate(integration);
  const [client] = await application.rows<{ number: number }>('select number from client where id = $1', [integration.clientId]);
  clientNumber = client?.number ?? 0;
  await application.rows('update certificate set not_before = $2, usable_until = $3 where id = $1', [
    replaced.id,
    new Date(Date.now() - 48 * hour),
    new Date(Date.now() - hour),
  ]);
  const now = Date.now();
  written = await writeRequests(application.databaseUrl, { clientNumber, commonName: integration.commonName, certificate }, [
    { occurredAt: new Date(now - 30 * hour) },
    { occurredAt: new Date(now - 4_000) },
    { occurredAt: new Date(now - 3_000), status: 304 },
    { occurredAt: new Date(now - 2_000), operation: 'getOrder', status: 403, problem: 'scope_required' },
    {
      occurredAt: new Date(now - 1_000),
      status: 401,
      problem: 'client_certificate_expired',
      certificateAccepted: false,
      client: { number: clientNumber, certificateId: replaced.id },
    },
  ]);
});
afterAll(() => application.close());

test('usage has counters by hour, operation and status, the 304 share and what is left of the quotas', async () => {
  await application.rows(
    'update client_quota set minute_start = $2, minute_count = 7, hour_start = $2, hour_count = 90 where client_number = $1',
    [clientNumber, new Date()],
  );
  const usage = await operator.must<Usage>('usage', { clientId: integration.clientId });
  expect(usage).toMatchObject({ hours: 24, syncs: 2, unchangedSyncs: 1 });
  expect(usage.counts.map(({ operation, status, count }) => [operation, status, count]).toSorted()).toEqual([
    ['getOrder', 403, 1],
    ['getSync', 200, 1],
    ['getSync', 304, 1],
    ['getSync', 401, 1],
  ]);
  expect(usage['quotas']).toMatchObject([
    { name: 'minute', limit: 20, left: 13, overridden: false },
    { name: 'hour', limit: 600, left: 510 },
    { name: 'statistics', limit: 120, left: 120, resetsAt: null },
    { name: 'redeem', limit: 60, left: 60, resetsAt: null },
    { name: 'est', limit: 10, left: 10, resetsAt: null },
  ]);
  const week = await operator.must<Usage>('usage', { clientId: integration.clientId, period: 'week' });
  expect([week.hours, week['syncs']]).toEqual([168, 3]);
});

test('an operator finds out by request id why a call was refused', async () => {
  const { edges } = await operator.must<Page>('requests', { clientId: integration.clientId, filter: { requestId: written[4]?.requestId } });
  expect(edges.map(({ node }) => node)).toEqual([
    {
      id: written[4]?.requestId,
      occurredAt: written[4]?.occurredAt.toISOString(),
      method: 'GET',
      operation: 'getSync',
      status: 401,
      problem: 'client_certificate_expired',
      serial: certificate.serial,
      durationMs: expect.closeTo(4.2),
      certificateId: replaced.id,
      title: 'Client certificate expired',
      reason: expect.stringMatching(/^This certificate was replaced by a newer one; the overlap of 14 days ended on .* UTC\.$/),
      advice:
        'Install the newer certificate, which the Certificates tab has for download. If its private key is lost, request another one.',
    },
  ]);
});

test('refusals are grouped by cause, with what to mend', async () => {
  const text = `query ($slug: String!) { integration(slug: $slug) { clients { errorGroups {
    problem operation status serial certificateId count more share answeredAt open title reason advice } } } }`;
  const { data, errors } = await operator.graphql<{ integration: { clients: { errorGroups: object[] }[] } }>(text, {
    slug: integration.slug,
  });
  expect(errors).toEqual([]);
  expect(data?.integration.clients[0]?.errorGroups).toEqual([
    {
      problem: 'client_certificate_expired',
      operation: 'getSync',
      status: 401,
      serial: certificate.serial,
      certificateId: replaced.id,
      count: 1,
      more: false,
      share: expect.closeTo(0.25),
      answeredAt: null,
      open: true,
      title: 'Client certificate expired',
      reason: expect.stringMatching(/^This certificate was replaced by a newer one/),
      advice:
        'Install the newer certificate, which the Certificates tab has for download. If its private key is lost, request another one.',
    },
    expect.objectContaining({ problem: 'scope_required', operation: 'getOrder', certificateId: certificate.id, reason: null }),
  ]);
});

test('the causes of one integration’s refusals can be asked for, those of a hundred integrations at once cannot', async () => {
  const causes = (first: number) => `{ integrations(first: ${first}) { edges { node { clients { errorGroups(first: 1) { id } } } } } }`;
  expect((await operator.graphql(causes(1))).errors).toEqual([]);
  expect((await operator.graphql(causes(100))).errors[0]?.message).toMatch(/^The operation costs /);
});

test('requests come newest first, in pages that a cursor joins', async () => {
  const all = await operator.must<Page>('requests', { clientId: integration.clientId });
  expect(all.edges.map(({ node }) => node.id)).toEqual(written.map(({ requestId }) => requestId).toReversed());
  const first = await operator.must<Page>('requests', { clientId: integration.clientId, first: 3 });
  expect(first.pageInfo).toEqual({ hasNextPage: true, endCursor: first.edges[2]?.cursor });
  const second = await operator.must<Page>('requests', { clientId: integration.clientId, first: 3, after: first.pageInfo.endCursor });
  expect([...first.edges, ...second.edges]).toEqual(all.edges);
  expect(second.pageInfo.hasNextPage).toBe(false);
});

test('the whole page of 100 with every field is not too dear to ask for', async () => {
  expect(codesOf(await operator.call('requests', { clientId: integration.clientId, first: 100 }))).toEqual([]);
});

test('filters narrow the log, and what does not fit them is refused at its field', async () => {
  const problems = await operator.must<Page>('requests', { clientId: integration.clientId, filter: { onlyProblems: true } });
  expect(problems.edges.map(({ node }) => node.status)).toEqual([401, 403]);
  const unchanged = await operator.must<Page>('requests', {
    clientId: integration.clientId,
    filter: { statusClass: 'unchanged', operation: 'getSync' },
  });
  expect(unchanged.edges.map(({ node }) => node.title)).toEqual(['Unchanged']);
  const wrong = await operator.call('requests', { clientId: integration.clientId, filter: { requestId: 'abc' } });
  expect(codesOf(wrong)).toEqual(['BAD_USER_INPUT']);
  expect(fieldsOf(wrong)).toEqual({ 'filter.requestId': 'A request ID is req_ followed by 26 characters, as in the X-Request-Id header.' });
});

test('a client says when it was last heard of; one that never called has nulls', async () => {
  const text = 'query ($slug: String!) { integration(slug: $slug) { clients { lastRequestAt lastSyncAt } } }';
  const read = async (slug: string) =>
    (await operator.graphql<{ integration: { clients: unknown[] } }>(text, { slug })).data?.integration.clients;
  expect(await read(integration.slug)).toEqual([
    { lastRequestAt: written[4]?.occurredAt.toISOString(), lastSyncAt: written[2]?.occurredAt.toISOString() },
  ]);
  const other = await operator.createIntegration();
  expect(await read(other.slug)).toEqual([{ lastRequestAt: null, lastSyncAt: null }]);
});

test('each certificate says when it last made a call, to its owner and to administrators; a refused one did not', async () => {
  const staff = await administrator(application);
  const text = 'query ($clientId: ID!) { certificates(clientId: $clientId) { edges { node { id lastUsedAt } } } }';
  for (const reader of [operator, staff]) {
    const { data } = await reader.graphql<{ certificates: { edges: { node: unknown }[] } }>(text, { clientId: integration.clientId });
    expect(data?.certificates.edges.map(({ node }) => node)).toEqual([
      { id: certificate.id, lastUsedAt: written[3]?.occurredAt.toISOString() },
      { id: replaced.id, lastUsedAt: null },
    ]);
  }
});
