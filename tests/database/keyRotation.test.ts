import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../server/adminCommands.ts';
import { abandonKeyRing, abandonSigningKeys } from '../../server/database/abandonKeys.ts';
import { loadKeyRing, keyPurposes, type KeyRing } from '../../server/database/keyRing.ts';
import { rewrapKeys, wrappedSecrets } from '../../server/database/rewrapKeys.ts';
import { rotateKeyRing } from '../../server/database/rotateKeyRing.ts';
import { confirmRegistration } from '../../server/domain/account/address/confirmRegistration.ts';
import { linkToken } from '../../server/domain/account/address/linkToken.ts';
import { requestRegistration } from '../../server/domain/account/address/requestRegistration.ts';
import { createRecoveryCodes } from '../../server/domain/account/recovery/recoveryCodes.ts';
import { redeemRecoveryCode } from '../../server/domain/account/recovery/redeemRecoveryCode.ts';
import { parseSessionCookie, sessionCookie } from '../../server/domain/account/session/sessionCookie.ts';
import { ensureAuthorities, openIssuer } from '../../server/domain/certificate/authorities.ts';
import { createCursorCodecs } from '../../server/domain/feed/cursor.ts';
import { soleKey, type LookupKeys } from '../../server/domain/shared/keySet.ts';
import { userRef } from '../../server/domain/shared/lookupKeys.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { accountLimits } from '../../server/domain/account/accountLimits.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';
import { issueLinkCode } from '../../server/domain/sharing/link-code/issueLinkCode.ts';
import { redeemLinkCode } from '../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { refuseUnknownSigningKeys } from '../../server/domain/webhook/signing/deliveryKey.ts';
import { keepSigningKeys } from '../../server/domain/webhook/signing/signingKeys.ts';
import { authorityKeys } from '../../server/platform/authorityKeys.ts';
import { keyId, type WrappingKeys } from '../../server/platform/keyStore.ts';
import { openWorld } from '../support/world/openWorld.ts';
import { P12s } from '../domain/certificate/p12/P12s.ts';
import { operators } from '../support/world/accountFixtures.ts';
import { TestClock } from '../support/world/TestClock.ts';
import { sampleOrder } from '../support/world/samples.ts';
import { createTestDatabase, runOn } from '../support/run/testDatabase.ts';
import { rotateTemplate } from '../support/run/rotateTemplate.ts';
import { masterKeys, signingKeys, terminalConfig } from '../support/world/testKeys.ts';
import { Tracking } from '../support/world/Tracking.ts';
import type { TestAuthority } from '../support/world/Fixtures.ts';
import type { World } from '../support/world/World.ts';

const actor = { type: 'system', name: 'terminal' } as const;
const visitor = { ip: '192.0.2.1', source: '192.0.2.1', userAgent: 'test', requestId: 'req_test' };
let world: World;
let authority: TestAuthority;
beforeAll(async () => {
  world = await openWorld({ clock: new TestClock().stop() });
});
afterAll(() => world?.close());

const portalUrl = 'http://localhost:3000';
/** Whether every database of this run begins with a second key for each purpose. */
const rotated = process.env['TEST_ROTATED'] === 'true';
const ringSize = keyPurposes.length * (rotated ? 2 : 1);
const newKey = (keys: WrappingKeys): WrappingKeys => ({ variable: keys.variable, current: randomBytes(32), previous: keys.current });
const alone = ({ variable, current }: WrappingKeys): WrappingKeys => ({ variable, current });
const ringOf = async (keys: WrappingKeys) => loadKeyRing({ databaseUrl: world.databaseUrl, masterKeys: keys, clock: world.clock });
const rotate = (keys: WrappingKeys, purpose: (typeof keyPurposes)[number]) =>
  rotateKeyRing(world.em(), { masterKeys: keys, purpose, actor, now: world.clock.now() });

const p12sWith = (keyRing: KeyRing) => new P12s({ ...world, keyRing }, authority);

/** Something of every kind that a process makes with the keys of its ring. */
async function make(ring: KeyRing, name: string) {
  const { clock } = world;
  const claim = { sessionId: newId('ses'), generation: 1 };
  const email = `${name}@example.com`;
  await requestRegistration(world.em(), { email, browser: 'browser', visitor, linkKeys: ring.verification_link, now: clock.now() });
  const [link] = await world.rows<{ id: string }>('select id from verification_link where email = $1', [email]);
  await operators(world, [`owner-${email}`]);
  const [owner] = await world.rows<{ id: string }>('select id from operator where email = $1', [`owner-${email}`]);
  const recoveryCodes = await world.em().transactional(async (tx) => {
    const codes = createRecoveryCodes(tx, { operatorId: owner!.id, lookupKeys: ring.lookup, now: clock.now() });
    await tx.flush();
    return codes;
  });
  const client = await world.fixtures.client();
  const tracking = new Tracking(world);
  const order = { type: 'order', key: `order-of-${name}` } as const;
  const upsert = { ...order, user: name, version: '1', historyComplete: true, data: sampleOrder };
  await tracking.upsert([upsert]);
  const stored = await tracking.stored(order);
  const linkCode = await world.em().transactional((tx) =>
    issueLinkCode(tx, {
      client,
      userRef: userRef(ring.lookup, 'sandbox', name),
      trackedResourceIds: [stored!.id],
      scopes: ['orders.read'],
      statisticsOptedIn: false,
      profileVersion: 1,
      lookupKeys: ring.lookup,
      now: clock.now(),
    }),
  );
  const position = { clientNumber: client.number, epoch: 1, position: 7 };
  return {
    name,
    client,
    position,
    claim,
    linkId: link!.id,
    recoveryCodes,
    linkCode,
    p12: await p12sWith(ring).ready(),
    cookie: sessionCookie(ring.session, claim),
    cursor: createCursorCodecs(ring.cursor).current.encode(position),
    user: userRef(ring.lookup, 'sandbox', name),
  };
}
type Made = Awaited<ReturnType<typeof make>>;

/** Which of these still work with this ring, each used up where it can be used once. */
async function working(ring: KeyRing, made: Made) {
  const { clock } = world;
  const { client, linkId } = made;
  const lookupKeys = ring.lookup;
  const em = () => world.em();
  const redeemer = { type: 'client', clientId: client.id, certificateId: 'crt_test', ip: '192.0.2.1', requestId: 'req_test' } as const;
  const link = async () => {
    const token = await linkToken(em(), ring.verification_link, linkId);
    return confirmRegistration(em(), { token, resetsAccount: false, former: null, visitor, now: clock.now() });
  };
  const recovery = {
    code: made.recoveryCodes.pop() ?? '',
    former: null,
    supportContact: developmentContact,
    visitor,
    lookupKeys,
    now: clock.now(),
  };
  const outcomes = {
    session: parseSessionCookie(ring.session, made.cookie) !== null,
    link: await works(link()),
    recoveryCode: await works(redeemRecoveryCode(em(), recovery)),
    linkCode: (await redeemLinkCode(em(), { actor: redeemer, client, lookupKeys, code: made.linkCode.code, now: clock.now() })) !== null,
    p12: await works(p12sWith(ring).claim(made.p12)),
    cursor: createCursorCodecs(ring.cursor).decode(made.cursor, client.number)?.position === made.position.position,
    user: userRef(ring.lookup, 'sandbox', made.name).equals(made.user),
  };
  return Object.entries(outcomes).flatMap(([kind, good]) => (good ? [kind] : []));
}
const works = (done: Promise<unknown>) =>
  done.then(
    () => true,
    () => false,
  );
const everything = ['session', 'link', 'recoveryCode', 'linkCode', 'p12', 'cursor', 'user'];
const lasting = ['recoveryCode', 'cursor', 'user'];

test('after both wrapping keys and the key ring have changed twice, what was made before, between and after works for as long as it may', async () => {
  const { clock } = world;
  let master = masterKeys;
  let signing = signingKeys;
  await ensureAuthorities(world.em(), { keys: authorityKeys(signing), portalUrl, now: clock.now() });
  const { id: issuerId, signer } = await openIssuer(world.em(), { keys: authorityKeys(signing), portalUrl, now: clock.now() });
  authority = { issuerId, signer, chainPem: '' };
  await keepSigningKeys(world.em(), { wrapping: authorityKeys(signing), now: clock.now() });
  const before = await make(world.keyRing, 'before');
  const between: Made[] = [];
  const used = new Set(keyPurposes.map((purpose) => world.keyRing[purpose].current.toString('hex')));

  for (const turn of ['first', 'second']) {
    for (const keys of [(master = newKey(master)), (signing = newKey(signing))]) {
      const done = await rewrapKeys(world.em(), { keys, actor, now: clock.now() });
      expect(done).toEqual({ rewrapped: expect.any(Number), left: {}, reasons: [] });
      expect(done.rewrapped).toBeGreaterThan(1);
      // Nothing is left to do, and the former key is needed no longer.
      expect(await rewrapKeys(world.em(), { keys: alone(keys), actor, now: clock.now() })).toEqual({ rewrapped: 0, left: {}, reasons: [] });
      expect(Object.keys(await wrappedSecrets(world.em(), keys.variable))).toEqual([keyId(keys.current)]);
    }
    await openIssuer(world.em(), { keys: authorityKeys(alone(signing)), portalUrl, now: clock.now() });
    await refuseUnknownSigningKeys(world.em(), { wrapping: authorityKeys(alone(signing)) });
    const [one, another] = [await ringOf(alone(master)), await ringOf(alone(master))];
    for (const purpose of keyPurposes) await rotate(alone(master), purpose);

    // Until all processes have read the new keys, none uses them; then each reads what any other makes.
    clock.advance(limits.keyActivationDelay - 1);
    expect(await one.reload()).toEqual([]);
    const last = await make(one.keys, `last-of-${turn}`);
    for (const purpose of keyPurposes) expect(one.keys[purpose].current).toEqual(another.keys[purpose].current);
    clock.advance(1);
    const made = await make(one.keys, `after-${turn}`);
    for (const purpose of keyPurposes) used.add(one.keys[purpose].current.toString('hex'));
    expect(await working((await ringOf(alone(master))).keys, last)).toEqual(everything);
    expect(await another.reload()).toEqual([]);
    expect(await working(another.keys, made)).toEqual(everything);
    between.push(await make(one.keys, `between-${turn}`));
  }
  expect(used.size).toBe(3 * keyPurposes.length);

  // Links, link codes and packages ended with their 20, 10 and 15 minutes. Sessions end with their 8 hours, and so does what reads them.
  expect(await working((await ringOf(alone(master))).keys, before)).toEqual(['session', ...lasting]);
  clock.advance(accountLimits.sessionLifetime + limits.keyRingGrace);
  expect(await working((await ringOf(alone(master))).keys, between[0]!)).toEqual(lasting);
  expect(await working((await ringOf(alone(master))).keys, between[1]!)).toEqual(['session', ...lasting]);
});

test('a process that has only an older key does not start, and a running one keeps what it has read: both name purpose, variable and keys', async () => {
  const [first, second] = [newKey(masterKeys), newKey(masterKeys)];
  const database = await openWorld();
  const ring = (keys: WrappingKeys) => loadKeyRing({ databaseUrl: database.databaseUrl, masterKeys: keys, clock: database.clock });
  try {
    const former = database.keyRing.session.current;
    await rewrapKeys(database.em(), { keys: first, actor, now: database.clock.now() });
    const names = new RegExp(
      `for (session|verification_link|lookup|cursor) is wrapped under the key ${keyId(first.current)}, .*MASTER_KEY is the key ${keyId(masterKeys.current)}, and MASTER_KEY_PREVIOUS is not set`,
    );
    await expect(ring(masterKeys)).rejects.toThrow(names);
    await expect(ring(second)).rejects.toThrow(`MASTER_KEY_PREVIOUS is ${keyId(masterKeys.current)}`);
    await expect(rewrapKeys(database.em(), { keys: second, actor, now: database.clock.now() })).resolves.toMatchObject({
      rewrapped: 0,
      left: { [keyId(first.current)]: ringSize },
    });

    const now = database.clock.now();
    await rotateKeyRing(database.em(), { masterKeys: alone(first), purpose: 'session', actor, now });
    const again = rotateKeyRing(database.em(), { masterKeys: alone(first), purpose: 'session', actor, now });
    await expect(again).rejects.toThrow(`is used from ${new Date(now.getTime() + limits.keyActivationDelay).toISOString()} on`);
    const errors = await database.reloadKeyRing();
    expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(names)]);
    database.clock.advance(limits.keyActivationDelay);
    expect(database.keyRing.session.current).toEqual(former);
  } finally {
    await database.close();
  }
});

test('a rotation is wrapped as the running processes need it, even on a terminal that already has the next master key', async () => {
  const next = newKey(masterKeys);
  const database = await openWorld();
  try {
    await rotateKeyRing(database.em(), { masterKeys: next, purpose: 'cursor', actor, now: database.clock.now() });
    expect(await database.reloadKeyRing()).toEqual([]);
    const strange = rotateKeyRing(database.em(), { masterKeys: alone(next), purpose: 'lookup', actor, now: database.clock.now() });
    await expect(strange).rejects.toThrow(`MASTER_KEY is the key ${keyId(next.current)}`);
  } finally {
    await database.close();
  }
});

test('a code that is drawn while another has the same digits under a former key is drawn again', async () => {
  const { clock } = world;
  const { client, user } = await make(world.keyRing, 'same-digits');
  const draws = ['0000000042', '0000000042', '0000000007'];
  const issue = (lookupKeys: LookupKeys) =>
    world.em().transactional((tx) =>
      issueLinkCode(tx, {
        client,
        userRef: user,
        trackedResourceIds: ['1'],
        scopes: ['orders.read'],
        statisticsOptedIn: false,
        profileVersion: 1,
        lookupKeys,
        now: clock.now(),
        draw: () => draws.shift() ?? '',
      }),
    );
  const [former, current] = [soleKey(randomBytes(32)), randomBytes(32)];
  expect((await issue(former)).code).toBe('0000000042');
  expect((await issue({ ...former, current, readable: [current, former.current] })).code).toBe('0000000007');
});

test('after both wrapping keys were lost, what only they opened is given up for good, and everything goes on with new ones', async () => {
  const [master, signing] = [alone(newKey(masterKeys)), alone(newKey(signingKeys))];
  const database = await openWorld({ clock: new TestClock().stop() });
  const now = database.clock.now();
  const abandon = {
    ring: () => abandonKeyRing(database.em(), { keys: master, actor, now }),
    signing: () => abandonSigningKeys(database.em(), { keys: signing, actor, now }),
  };
  try {
    const lostKeys = authorityKeys(signingKeys);
    await ensureAuthorities(database.em(), { keys: lostKeys, portalUrl, now });
    await keepSigningKeys(database.em(), { wrapping: lostKeys, now });
    await operators(database, ['signed-in@example.com']);
    await database.rows(
      `insert into portal_session (id, kind, operator_id, email, generation, rotated_at, created_at, last_used_at, expires_at, ip, user_agent)
       select $1, 'full', id, email, 0, $2, $2, $2, $2::timestamptz + interval '8 hours', '192.0.2.1', 'test' from operator`,
      [newId('ses'), now],
    );
    const client = await database.fixtures.client();
    const tracking = new Tracking(database);
    const order = { type: 'order', key: 'named-for-ever' } as const;
    await tracking.upsert([{ ...order, user: 'somebody', version: '1', historyComplete: true, data: sampleOrder }]);
    const { connectionId: shared } = await tracking.share(client, 'somebody', [order], { now });

    // A key that was mistyped opens nothing either: first it shows what would go.
    const terminal = (...args: string[]) =>
      adminCommand(['abandon-lost-keys', ...args])(
        database.em(),
        now,
        terminalConfig({ MASTER_KEY: master.current.toString('hex'), SIGNING_KEY: signing.current.toString('hex') }),
      );
    const present = () =>
      database.rows(`select (select count(*) from key_ring_entry) + (select count(*) from portal_session where ended_at is null)
        + (select count(*) from tracked_resource) + (select count(*) from connection where revocation_id is null)
        + (select count(*) from certificate_authority where wrapped_key is not null) + (select count(*) from webhook_signing_key where wrapped_key is not null)
        + (select count(*) from audit_entry where action = 'wrapping_key.abandoned') as kept`);
    const before = await present();
    const shown = await terminal('MASTER_KEY');
    expect(shown).toMatchObject({ result: String(ringSize + 3), undone: true });
    expect(shown.words).toContain(
      `The key in this terminal is ${keyId(master.current)}. Stored secrets: ${ringSize} under the key ${keyId(masterKeys.current)}.`,
    );
    expect(shown.words).toMatch(/: 1 sessions, 0 recovery codes and 1 connections \(of [\w-]+\); 1 orders and vehicles would be deleted\./);
    expect(await terminal('SIGNING_KEY')).toMatchObject({
      result: '4',
      undone: true,
      words: expect.stringMatching(/2 authorities \((root|issuing)-.*2 keys of signed/),
    });
    await expect(terminal('MASTER_KEY', '--count', String(ringSize + 2))).rejects.toThrow(
      `That is ${ringSize + 3} in all, not ${ringSize + 2}.`,
    );
    await expect(terminal('SIGNING_KEY', '--count', '3')).rejects.toThrow('Nothing has been done.');
    expect(await present()).toEqual(before);

    expect(await abandon.ring()).toEqual({ secrets: ringSize, sessions: 1, connections: 1, resources: 1 });
    const ring = await loadKeyRing({ databaseUrl: database.databaseUrl, masterKeys: master, clock: database.clock });
    expect(ring.keys.lookup.first).not.toEqual(database.keyRing.lookup.first);
    expect(await database.rows('select subject_type, subject_id from revocation')).toEqual([
      { subject_type: 'connection', subject_id: shared },
    ]);
    expect(
      await database.rows('select id from tracked_resource union all select id::bigint from portal_session where ended_at is null'),
    ).toEqual([]);

    expect(await abandon.signing()).toEqual({
      authorities: [expect.stringMatching(/^(root|issuing)-/), expect.stringMatching(/^(root|issuing)-/)],
      deliveryKeys: 2,
    });
    await refuseUnknownSigningKeys(database.em(), { wrapping: authorityKeys(signing) });
    await keepSigningKeys(database.em(), { wrapping: authorityKeys(signing), now });
    expect(await database.rows('select retired_at is null as live, count(*)::int from webhook_signing_key group by 1 order by 1')).toEqual([
      { live: false, count: 1 },
      { live: true, count: 2 },
    ]);
    await expect(openIssuer(database.em(), { keys: authorityKeys(signing), portalUrl, now })).rejects.toThrow('no issuing authority yet');
    for (const again of Object.values(abandon)) await expect(again()).rejects.toThrow('opens every secret. There is nothing to give up.');
  } finally {
    await database.close();
  }
});

const whereNoneIsRotated = rotated ? test.skip : test;
whereNoneIsRotated('every test can begin with a database whose keys were changed long ago, and whose trail is empty', async () => {
  const database = await createTestDatabase();
  try {
    await rotateTemplate(database.url);
    const { keys } = await loadKeyRing({ databaseUrl: database.url, masterKeys, clock: world.clock });
    expect(keys.lookup.readable).toHaveLength(2);
    await runOn(database.url, `do $$ begin if exists (select from audit_entry) then raise 'There are lines in the trail.'; end if; end $$`);
  } finally {
    await database.drop();
  }
});
