import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessEnded, Problem, type Capabilities, type Feed, type ProblemDetails } from '../../kit/src/index.ts';
import { acknowledgeDeletions } from '../../kit/src/sync/acknowledgeDeletions.ts';
import { sync } from '../../kit/src/sync/sync.ts';
import { WebhookReceiver } from '../../kit/src/webhook.ts';
import { seededRandom } from '../../server/domain/sandbox/generator/seededRandom.ts';
import { checkDigest, verifyByRfc9421 } from '../support/clients/rfc9421.ts';
import { bytesOf, deliveryVectors, type DeliveryVector } from '../support/kit/deliveryVectors.ts';
import { kitStores, openKitFeed } from '../support/kit/kitFeeds.ts';
import { makeRequestVectors, requestNames, type RequestVectors, verdictOn } from '../support/kit/requestVectors.ts';
import { type Exchange, type SyncStep, syncVectors } from '../support/kit/syncVectors.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

const mutations = Number(process.env['KIT_MUTATIONS'] ?? 2_000);

/** With UPDATE_VECTORS=true, the files are written instead. */
function expectFile(file: string, content: object): void {
  const text = `${JSON.stringify(content, null, 1)}\n`;
  if (process.env['UPDATE_VECTORS'] === 'true') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
}

describe('deliveries', () => {
  const { vectors, url, jwks, source, environment, freshness_seconds: freshnessSeconds, received_at: received } = deliveryVectors();
  const known = new Map(jwks.keys.map((key) => [key.kid, createPublicKey({ format: 'jwk', key })] as const));
  const keys = (keyid: string) => Promise.resolve(known.get(keyid) ?? ('unknown' as const));
  const receiver = new WebhookReceiver({ url, freshnessSeconds, once: () => true, keys, expect: { environment, source } });
  const judge = (vector: DeliveryVector, headers: Readonly<Record<string, string | string[]>> = vector.headers, body = bytesOf(vector)) =>
    receiver.judge(vector.method, headers, body, { target: vector.target, receivedAt: new Date(received) });

  test('are in the kit as the service signs them, at least sixty', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(60);
    expectFile('kit/vectors/deliveries.json', deliveryVectors());
  });

  test.each(vectors)('$name: $status', async (vector) => {
    expect((await judge(vector)).status).toBe(vector.status);
  });

  /** What a second implementation says, which shares no code with the kit. Throws where it refuses. */
  function secondOpinion(headers: Readonly<Record<string, string>>, body: Buffer): void {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const request = { method: 'POST', targetUri: url, headers: lower, body };
    const parameters = verifyByRfc9421(request, 'svc', jwks.keys);
    checkDigest(request);
    if (Math.abs(Number(parameters.get('created')) - Date.parse(received) / 1000) > freshnessSeconds) throw new Error('not fresh');
    const event = JSON.parse(body.toString()) as Record<string, unknown>;
    if (event['id'] !== lower['x-svc-event-id'] || event['time'] !== lower['x-svc-event-timestamp']) throw new Error('another event');
    if (event['source'] !== source || event['environment'] !== environment) throw new Error('not ours');
  }

  test('that were changed in one place are never accepted where a second implementation refuses them', async () => {
    const [good] = vectors as [DeliveryVector, ...DeliveryVector[]];
    const random = seededRandom('mutations');
    const names = Object.keys(good.headers).filter((name) => /^(?:content-digest|x-svc|signature)/i.test(name));
    const flipped = (bytes: Buffer): Buffer => {
      const changed = Buffer.from(bytes);
      const place = random.between(0, bytes.length - 1);
      changed[place] = (changed[place] ?? 0) ^ (1 << random.between(0, 7));
      return changed;
    };
    const wrong: string[] = [];
    let accepted = 0;
    for (let turn = 0; turn < mutations; turn += 1) {
      let [headers, body] = [{ ...good.headers }, bytesOf(good)];
      const name = random.pick(names);
      const value = headers[name] ?? '';
      const kind = random.pick(['body', 'bit', 'drop', 'twice', 'case', 'swap', 'cut'] as const);
      if (kind === 'body') body = flipped(body);
      if (kind === 'bit') headers[name] = flipped(Buffer.from(value, 'latin1')).toString('latin1');
      if (kind === 'drop') headers = Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));
      if (kind === 'twice') headers[name] = `${value}, ${value}`;
      if (kind === 'case') headers[name] = random.chance(0.5) ? value.toUpperCase() : value.toLowerCase();
      if (kind === 'swap') headers[name] = headers[random.pick(names)] ?? '';
      if (kind === 'cut') headers[name] = value.slice(0, random.between(0, value.length));
      const { status } = await judge(good, headers, body);
      if (status !== 204) continue;
      accepted += 1;
      try {
        secondOpinion(headers, body);
      } catch (error) {
        wrong.push(`${kind} of ${name}: ${headers[name]} (${(error as Error).message})`);
      }
    }
    expect(wrong).toEqual([]);
    expect(accepted).toBeLessThan(mutations / 5);
  });
});

describe('certificate requests', () => {
  const file = 'kit/vectors/requests.json';
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as RequestVectors;

  test('are in the kit, good and bad, and are for one common name', async () => {
    if (process.env['UPDATE_VECTORS'] === 'true') writeFileSync(file, `${JSON.stringify(await makeRequestVectors(), null, 1)}\n`);
    expect(read().vectors.map(({ name }) => name)).toEqual(requestNames);
    expect(read().vectors.filter(({ accepted }) => accepted).length).toBeGreaterThanOrEqual(3);
  });

  test.each(requestNames)('with %s are certified or refused as the file says', async (name) => {
    const vector = read().vectors.find((each) => each.name === name);
    const { accepted, reason } = vector ?? {};
    expect(await verdictOn(Buffer.from(vector?.request ?? '', 'base64'))).toEqual({ accepted, ...(reason !== undefined && { reason }) });
  });
});

describe('syncs', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test('are in the kit, at least twenty', () => {
    expect(syncVectors.vectors.length).toBeGreaterThanOrEqual(20);
    expectFile('kit/vectors/syncs.json', syncVectors);
  });

  const problem = (code: string): Problem => new Problem({ code, status: 400, detail: 'Vector.', request_id: 'req_1' } as ProblemDetails);

  describe.each(kitStores)('in %s', (store) => {
    test.each(syncVectors.vectors)('$name', async ({ steps, rows, ended, cursor, due, acknowledged, refused }) => {
      let failing = false;
      const touched = () => {
        if (failing) throw new Error('The machine is lost.');
      };
      const { feed, held } = await openKitFeed(world, store, { upserted: touched, ended: touched });
      const stated: string[] = [];
      for (const step of steps) await take(feed, step);
      const copy = await held();
      expect(Object.fromEntries([...copy.records].map(([id, { revision }]) => [id, revision]))).toEqual(rows);
      expect([...copy.ended].sort()).toEqual(ended.toSorted());
      expect((await feed.begin(syncVectors.client_id)).cursor).toBe(cursor);
      expect((await feed.dueDeletions()).map(({ revocationId }) => revocationId)).toEqual(due);
      expect((await feed.refusedDeletions()).map(({ revocationId }) => revocationId)).toEqual(refused);
      expect(stated).toEqual(acknowledged);

      async function take(target: Feed, step: SyncStep): Promise<void> {
        if (step.do === 'read') await target.refresh(step.snapshot);
        else if (step.do === 'delete') await target.markDeleted({ revocationId: step.revocation_id });
        else if (step.do === 'gone') {
          await target.end(new AccessEnded({ ...problem('access_ended').details, revocation_id: step.revocation_id }, step.id));
        } else if (step.do === 'sync') await follow(target, step.exchanges);
        else {
          const answers = [...step.answers];
          const acknowledge = (revocationId: string) => {
            const answer = answers.shift();
            expect(revocationId).toBe(answer?.revocation_id);
            if (answer?.status !== 200)
              return Promise.reject(problem(answer?.status === 409 ? 'acknowledgement_window_closed' : 'not_found'));
            return Promise.resolve({
              revocation_id: revocationId,
              status: 'acknowledged' as const,
              acknowledged_at: '2026-11-21T10:00:00.000Z',
            });
          };
          stated.push(...(await acknowledgeDeletions({ acknowledge }, target, {})).map(({ revocationId }) => revocationId));
          expect(answers).toEqual([]);
        }
      }

      /** One run of a sync, until its end or its crash. */
      async function follow(target: Feed, exchanges: readonly Exchange[]): Promise<void> {
        const left = [...exchanges];
        const { crash, page: last } = exchanges.at(-1) ?? {};
        let lost = false;
        const from = {
          assertCapabilities: () => Promise.resolve({ client_id: syncVectors.client_id } as Capabilities),
          page(asked: { updatedSince?: string; etag?: string }) {
            const exchange = left.shift();
            // What is asked for ahead of a crash is answered to nobody.
            if (!exchange) return Promise.reject(new Error('The machine is lost.'));
            expect({ updated_since: asked.updatedSince ?? null, if_none_match: asked.etag }).toEqual({
              updated_since: exchange.updated_since,
              if_none_match: exchange.if_none_match,
            });
            if (exchange.problem) return Promise.reject(problem(exchange.problem));
            return Promise.resolve({ value: exchange.page ?? null, etag: exchange.etag ?? exchange.if_none_match ?? '' });
          },
        };
        const crashing: Feed = {
          ...target,
          async apply(at, page, etag) {
            failing = crash === 'before_commit' && page === last;
            const applied = await target.apply(at, page, etag);
            lost = crash === 'after_commit' && page === last;
            return applied;
          },
        };
        const progress = () => {
          if (lost) throw new Error('The machine is lost.');
        };
        const run = sync(from, crashing, { progress });
        if (crash) await expect(run).rejects.toThrow('The machine is lost.');
        else await run;
        failing = false;
        expect(left).toEqual([]);
      }
    });
  });
});
