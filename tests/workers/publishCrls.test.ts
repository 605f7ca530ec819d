import 'reflect-metadata';
import { X509Crl, type X509CrlEntry } from '@peculiar/x509';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { certificateLimits } from '../../server/domain/certificate/certificateLimits.ts';
import { publishCrls } from '../../server/domain/certificate/crl/publication/publishCrls.ts';
import { issueCertificate } from '../../server/domain/certificate/issueCertificate.ts';
import { checkRevocation } from '../domain/certificate/crl/checkRevocation.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

let world: PortalWorld;
let owner: PortalClient;
let issuing: string;
let root: string;
/** Times of lists only rise, so each test goes on from where the last one ended. */
let now: Date;
beforeAll(async () => {
  world = await openWorld({ portal: true });
  owner = await world.operator();
  issuing = world.authority.issuerId;
  root = issuing.replace('issuing', 'root');
  now = world.clock.now();
});
beforeEach(() => {
  now = new Date(Math.max(now.getTime(), world.clock.now().getTime()));
});
afterAll(() => world.close());

const get = (path: string) => world.browser().fetch(path);
const listOf = async (authority = issuing) => new X509Crl(Buffer.from(await (await get(`/crl/${authority}.crl`)).arrayBuffer()));
const entryOf = async (serial: string): Promise<X509CrlEntry | null> => (await listOf()).findRevoked(serial);
const numbers = async () => {
  const rows = await world.rows<{ id: string; crl_number: string }>('select id, crl_number from certificate_authority');
  return Object.fromEntries(rows.map(({ id, crl_number }) => [id, Number(crl_number)]));
};
const keys = () => world.workerContext().authorityKeys;
const publish = (at = now) => publishCrls(world.em(), { keys: keys(), now: at });
const later = (milliseconds: number) => (now = new Date(now.getTime() + milliseconds));

/** A certificate that is revoked in the database, and on no list yet. */
async function revoked({ notAfter }: { notAfter?: Date } = {}) {
  const client = await world.fixtures.client();
  const certificate = await world.fixtures.certificate(world.authority, client, { ...(notAfter && { notAfter }) });
  await world.fixtures.revokeCertificate(certificate);
  return certificate;
}

describe('what is revoked', () => {
  /** Does the job that a revocation has queued, which is due within the time over which revocations are gathered. */
  async function doQueuedJob(): Promise<void> {
    const jobs = await world.rows<{ soon: boolean }>(
      `select run_at <= created_at + interval '5 seconds' as soon from graphile_worker.jobs where task_identifier = 'publishCrls'`,
    );
    expect(jobs).toEqual([{ soon: true }]);
    await world.rows(
      `update graphile_worker._private_jobs set run_at = now() where task_id in (select id from graphile_worker._private_tasks where identifier = 'publishCrls')`,
    );
    await world.work();
  }

  test('by its owner is on a list some seconds later, and the owner sees since when', async () => {
    const integration = await owner.createIntegration();
    const { id, serial } = await owner.issuedCertificate(integration);
    await publish();
    expect(await entryOf(serial ?? '')).toBeNull();
    expect((await owner.revokeCertificate(id, 'key_compromise')).data).toMatchObject({ status: 'revoked', crlPublishedAt: null });
    const before = await numbers();
    await doQueuedJob();
    const [certificate] = await owner.certificates(integration.slug);
    expect(certificate?.crlPublishedAt).not.toBeNull();
    const entry = await entryOf(serial ?? '');
    expect(entry).toMatchObject({
      reason: 1,
      revocationDate: new Date(Math.floor(Date.parse(certificate?.revokedAt ?? '') / 1000) * 1000),
    });
    expect(await numbers()).toEqual({ ...before, [issuing]: (before[issuing] ?? 0) + 1 });
  });

  test('with its integration is on a list as well', async () => {
    const integration = await owner.createIntegration();
    const { serial } = await owner.issuedCertificate(integration);
    await owner.must('retireIntegration', { input: { integrationId: integration.id } });
    await doQueuedJob();
    expect((await entryOf(serial ?? ''))?.reason).toBe(5);
  });

  test('before it was issued is on a list if it may exist, and on none if it cannot', async () => {
    const integration = await owner.createIntegration();
    await owner.confirmFreshly();
    const [perhaps = '', never = ''] = [
      (await owner.requestCertificate(integration)).data?.id,
      (await owner.requestCertificate(integration)).data?.id,
    ];
    const dying = { ...world.issuer, signer: { ...world.issuer.signer, sign: () => Promise.reject(new Error('power cut')) } };
    await expect(issueCertificate(world.em(), { certificateId: perhaps, issuer: dying, now: world.clock.now() })).rejects.toThrow(
      'power cut',
    );
    for (const id of [perhaps, never]) await owner.revokeCertificate(id);
    const before = (await listOf()).entries.length;
    await publish();
    const rows = await world.rows<{ id: string; serial: string | null; published: boolean }>(
      'select id, serial, crl_published_at is not null as published from certificate where id = any($1)',
      [[perhaps, never]],
    );
    expect(Object.fromEntries(rows.map(({ id, published }) => [id, published]))).toEqual({ [perhaps]: true, [never]: false });
    expect(await entryOf(rows.find(({ id }) => id === perhaps)?.serial ?? '')).not.toBeNull();
    expect((await listOf()).entries).toHaveLength(before + 1);
    const made = await numbers();
    await publish();
    expect(await numbers()).toEqual(made);
  });

  test('stays on the list until it has been on one that was made after its end', async () => {
    const { serial } = await revoked({ notAfter: new Date(now.getTime() + hour) });
    const named: boolean[] = [];
    for (const passed of [0, day, day]) {
      await publish(later(passed));
      named.push((await entryOf(serial)) !== null);
    }
    expect(named).toEqual([true, true, false]);
  });

  test('after its end is on one list', async () => {
    const { serial } = await revoked({ notAfter: new Date(now.getTime() - hour) });
    await publish();
    expect(await entryOf(serial)).not.toBeNull();
    await publish(later(day));
    expect(await entryOf(serial)).toBeNull();
  });

  test('is refused by everybody who checks the published lists, and what is not revoked is accepted', async () => {
    const client = await world.fixtures.client();
    const good = await world.fixtures.certificate(world.authority, client);
    const bad = await revoked();
    // Anyone who checks looks at the real clock.
    await world.rows(
      "update certificate_revocation_list set this_update = this_update - interval '30 days', next_update = next_update - interval '30 days'",
    );
    await publish(world.clock.now());
    const pem = async (id: string) => (await get(`/ca/${id}.pem`)).text();
    const bytes = async (id: string) => Buffer.from(await (await get(`/crl/${id}.crl`)).arrayBuffer());
    const chain = { issuing: await pem(issuing), root: await pem(root), lists: await Promise.all([issuing, root].map(bytes)) };
    expect(await checkRevocation({ ...chain, leaf: good.certPem })).toBe('good');
    expect(await checkRevocation({ ...chain, leaf: bad.certPem })).toBe('revoked');
    await publish(now);
  });
});

test('very many certificates that are revoked at once are all on lists at once, each of which names some for the first time', async () => {
  const client = await world.fixtures.client();
  await world.rows(
    `insert into certificate (id, client_number, source, status, key_type, issuer_id, serial, requested_at, requested_by, not_before, not_after, revoked_at, revocation_reason)
     select 'crt_' || n, $1::int, 'csr', 'revoked', 'EC P-256', $2, '5' || substr(md5(n::text), 2), $3::timestamptz, $4, $3::timestamptz, $3::timestamptz, $3::timestamptz, 'superseded'
       from generate_series(1, $5::int) n`,
    [client.number, issuing, new Date(now.getTime() - hour), client.operatorId, certificateLimits.crlSlice + 1],
  );
  const before = await numbers();
  await publish(later(day));
  expect(await numbers()).toEqual({ [issuing]: (before[issuing] ?? 0) + 2, [root]: (before[root] ?? 0) + 1 });
  expect(await world.rows('select 1 from certificate where client_number = $1 and crl_published_at is null', [client.number])).toEqual([]);
  await publish(later(day));
});

describe('workers', () => {
  test('that run through a week without revocations make a list each day, and none of them ever ends', async () => {
    const first = await numbers();
    for (let passed = 0; passed < 7 * day; passed += hour) {
      await publish(later(hour));
      const { nextUpdate } = await listOf();
      expect(nextUpdate?.getTime()).toBeGreaterThan(now.getTime() + 5 * day);
    }
    const last = await numbers();
    for (const id of [issuing, root]) expect((last[id] ?? 0) - (first[id] ?? 0)).toBe(7);
  });

  test('that were away for a month make new lists when they are back', async () => {
    await publish(later(30 * day));
    for (const id of [issuing, root]) expect((await listOf(id)).nextUpdate?.getTime()).toBeGreaterThan(now.getTime() + 6 * day);
  });

  test('that make a list at the same moment make one, whose number is the next', async () => {
    let signatures = 0;
    const counted = {
      ...keys(),
      signer: (...of: Parameters<ReturnType<typeof keys>['signer']>) => {
        const signer = keys().signer(...of);
        return { ...signer, sign: (data: Buffer) => ((signatures += 1), signer.sign(data)) };
      },
    };
    const before = await numbers();
    for (let round = 1; round <= 5; round += 1) {
      await revoked();
      await Promise.all(Array.from({ length: 4 }, () => publishCrls(world.em(), { keys: counted, now })));
      expect(await numbers()).toEqual({ ...before, [issuing]: (before[issuing] ?? 0) + round });
    }
    expect(signatures).toBe(5);
  });

  test('make the lists of the other authorities when the key of one does not open', async () => {
    const [row] = await world.rows<{ wrapped_key: Buffer }>('select wrapped_key from certificate_authority where id = $1', [issuing]);
    await world.rows('update certificate_authority set wrapped_key = $2 where id = $1', [issuing, Buffer.alloc(200, 0xff)]);
    const before = await numbers();
    await expect(publish(later(day))).rejects.toThrow('unknown format');
    expect(await numbers()).toEqual({ ...before, [root]: (before[root] ?? 0) + 1 });
    await world.rows('update certificate_authority set wrapped_key = $2 where id = $1', [issuing, row?.wrapped_key]);
  });

  test('make no lists of authorities whose validity has ended', async () => {
    const before = await numbers();
    await publish(new Date(now.getTime() + 6 * 365 * day));
    expect(await numbers()).toEqual({ ...before, [root]: (before[root] ?? 0) + 1 });
    await world.rows('update certificate_revocation_list set this_update = $2, next_update = $3 where authority_id = $1', [
      root,
      now,
      new Date(now.getTime() + 7 * day),
    ]);
  });
});
