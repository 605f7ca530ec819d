import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

test('capabilities tell a sandbox client who it is, what it may and which limits apply', async () => {
  const { client, certificate, machine } = await world.backEnd({ scopes: ['orders.read', 'shipping.read'] });
  const response = await machine.call('/v1/capabilities');
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/),
    'ratelimit-policy': '"minute";q=20;w=60, "hour";q=600;w=3600',
    ratelimit: '"minute";r=19;t=60, "hour";r=599;t=3600',
  });
  expect(response.body).toEqual({
    environment: 'sandbox',
    client_id: client.id,
    integration_id: client.integrationId,
    integration_status: 'sandbox',
    profile_version: 1,
    scopes: ['orders.read', 'shipping.read'],
    quotas: {
      requests_per_hour: 600,
      requests_per_minute: 20,
      concurrent_requests: 4,
      statistics_requests_per_hour: 120,
      link_code_redemptions_per_hour: 60,
      link_code_redemptions_per_ip_per_15_minutes: 10,
      est_requests_per_hour: 10,
      polling_interval_seconds: 900,
      records_per_response: 500,
      response_bytes: 8_388_608,
      statistics_response_bytes: 2_097_152,
    },
    overrides: [],
    production_data_enabled: false,
    certificate: {
      id: certificate.id,
      serial: certificate.serial,
      fingerprint_sha256: certificate.fingerprintSha256,
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  });
});

test('approved overrides show in the quotas and beside them, expired ones do not', async () => {
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 50);
  await world.fixtures.override(client, 'polling_interval_seconds', 300, new Date('2040-01-02T03:04:05.006Z'));
  await world.fixtures.override(client, 'requests_per_hour', 9_000, new Date(Date.now() - 1_000));
  const { body, headers } = await machine.call('/v1/capabilities');
  expect(body).toMatchObject({
    quotas: { requests_per_minute: 50, polling_interval_seconds: 300, requests_per_hour: 600 },
    overrides: [
      { quota: 'polling_interval_seconds', value: 300, expires_at: '2040-01-02T03:04:05.006Z' },
      { quota: 'requests_per_minute', value: 50 },
    ],
  });
  expect(headers['ratelimit-policy']).toBe('"minute";q=50;w=60, "hour";q=600;w=3600');
});

test('a HEAD request is answered like GET, without a body', async () => {
  const { machine } = await world.backEnd();
  const full = await machine.call('/v1/capabilities');
  const head = await machine.call('/v1/capabilities', { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  expect(head.headers['content-length']).toBe(full.headers['content-length']);
});
