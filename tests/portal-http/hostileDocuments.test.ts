import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { credentialParts, hostileCbor, hostileRegistration } from '../../bench/hostile/hostileCredentials.ts';
import { hostileDocuments, type HostileDocument } from '../../bench/hostile/hostileDocuments.ts';
import { parseRegistrationResponse, verifyRegistration } from '../../server/domain/account/passkey/webauthn.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';

let application: PortalWorld;
let operator: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  operator = await application.operator();
});
afterAll(() => application.close());

const rounds = 5;
const small = 400;
/** What takes this many milliseconds is not measured a second time. */
const plenty = 1_000;

/**
 * The processor time that a task takes of this thread, in milliseconds: the median of several runs, or of fewer if they take long. The
 * threads that collect garbage go through the heap of all earlier test files, too.
 */
async function costOf(task: () => Promise<unknown>): Promise<number> {
  const measured: number[] = [];
  while (measured.length < rounds && !measured.some((cost) => cost > plenty)) {
    const before = process.threadCpuUsage();
    await task();
    const { user, system } = process.threadCpuUsage(before);
    measured.push((user + system) / 1000);
  }
  return measured.toSorted((a, b) => a - b)[measured.length >> 1] ?? 0;
}

/** What a request costs, including its sender. */
function work(document: HostileDocument): Promise<number> {
  const body = JSON.stringify(document);
  return costOf(async () => {
    const response = await operator.fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await response.arrayBuffer();
    expect(response.status).toBeLessThan(500);
  });
}

// Between linear growth, which is 4, and quadratic, which is 16. What takes only a few milliseconds at its largest does not matter.
test.each(Object.keys(hostileDocuments))('four times as much of “%s” costs about four times as much, not sixteen', async (name) => {
  const document = hostileDocuments[name];
  if (!document) throw new Error(name);
  const least = await work(document(small));
  const most = await work(document(4 * small));
  expect(most).toBeLessThan(10 * least + 25);
});

const rp = { id: 'localhost', origin: 'http://localhost:3000', name: 'Test' };

test.each(Object.keys(hostileCbor))('four times as much of a passkey’s “%s” costs about four times as much, not sixteen', async (name) => {
  const verify = async (bytes: number) => {
    const cbor = hostileCbor[name]?.(bytes) ?? Buffer.of();
    for (const part of credentialParts) {
      const response = parseRegistrationResponse(hostileRegistration({ rpId: rp.id, origin: rp.origin, challenge: 'abc', cbor }, part));
      if (!response) throw new Error(part);
      expect(await verifyRegistration(rp, response, 'abc')).toMatchObject({ accepted: false });
    }
  };
  const least = await costOf(() => verify(3_000));
  const most = await costOf(() => verify(11_900));
  expect(most).toBeLessThan(10 * least + 25);
});

test('an answer of a passkey that is longer than one may be is not read', () => {
  const made = { rpId: rp.id, origin: rp.origin, challenge: 'abc' };
  const parse = (bytes: number) => parseRegistrationResponse(hostileRegistration({ ...made, cbor: Buffer.alloc(bytes) }, 'attestation'));
  expect(parse(12_288)).not.toBeNull();
  expect(parse(12_289)).toBeNull();
});

test('of many mistakes in variables no more are named than a refusal lists', async () => {
  const document = hostileDocuments['unknown fields in a variable']?.(5_000);
  const answer = await operator.graphql(document?.query ?? '', document?.variables as Record<string, unknown>);
  expect(answer.status).toBe(400);
  expect(answer.errors).toHaveLength(1);
  expect(answer.errors[0]?.extensions.fields).toHaveLength(100);
  expect(answer.text.length).toBeLessThan(20_000);
});
