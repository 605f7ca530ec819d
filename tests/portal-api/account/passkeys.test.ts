import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { accountLimits } from '../../../server/domain/account/accountLimits.ts';
import { SoftwarePasskey } from '../../../demo/SoftwarePasskey.ts';
import {
  accountOf,
  addPasskey,
  enrolAgain,
  passkeysOf,
  redeem,
  remove,
  signInWith,
  tryAddPasskey,
  type PasskeyData,
} from '../../support/clients/accountClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';
import { furtherPasskeys } from '../../support/world/accountFixtures.ts';

const minute = 60_000;

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const rename = (client: PortalClient, passkeyId: string, name: string) =>
  client.call<PasskeyData>('renamePasskey', { input: { passkeyId, name } });
const actionsOf = async (operatorId: string) =>
  (
    await application.rows<{ action: string }>(
      "select action from audit_entry where operator_id = $1 and action like 'passkey.%' order by id",
      [operatorId],
    )
  ).map(({ action }) => action);

test('an account renames passkeys and pauses, resumes or revises endpoints 300 times a day, together', async () => {
  const client = await application.operator();
  const [passkey] = await passkeysOf(client);
  const id = passkey?.id ?? '';
  await rename(client, id, 'First');
  await application.rows(
    "update attempt_window a set count = $2 - 1 from operator o where o.id = a.source and a.kind = 'change_operator' and o.email = $1",
    [client.email, accountLimits.changesPerOperatorPerDay],
  );
  expect(codesOf(await rename(client, id, 'Second'))).toEqual([]);
  expect(codesOf(await rename(client, id, 'Third'))).toEqual(['RATE_LIMITED']);
  await client.confirmFreshly();
  const input = { endpointId: 'whk_none' };
  for (const operation of ['pauseWebhookEndpoint', 'resumeWebhookEndpoint', 'reviseWebhookEndpoint'] as const)
    expect([operation, codesOf(await client.call(operation, { input }))]).toEqual([operation, ['RATE_LIMITED']]);
  expect((await passkeysOf(client)).map(({ name }) => name)).toEqual(['Second']);
});

describe('the passkeys of an account', () => {
  test('are shown with name, last use and whether they are synced or stay on their device', async () => {
    const operator = await application.operator();
    expect(await passkeysOf(operator)).toEqual([
      {
        id: expect.any(String),
        name: 'This computer',
        storage: 'device_bound',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ]);
    const own = 'operator_id = (select operator_id from portal_session where id = $1)';
    const session = (operator.cookie ?? '').split('.')[0];
    await application.rows(`update passkey set device_type = 'multiDevice', backed_up = true where ${own}`, [session]);
    expect((await passkeysOf(operator))[0]?.storage).toBe('synced');
    await application.rows(`update passkey set backed_up = false where ${own}`, [session]);
    expect((await passkeysOf(operator))[0]?.storage).toBe('not_synced');
  });

  test('show their last use as it was', async () => {
    const operator = await application.operator();
    const [before] = await passkeysOf(operator);
    application.clock.advance(5 * minute);
    await operator.signIn();
    const [after] = await passkeysOf(operator);
    expect(Date.parse(after?.lastUsedAt ?? '') - Date.parse(before?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(5 * minute);
    expect(after?.createdAt).toBe(before?.createdAt);
  });
});

describe('adding a passkey', () => {
  test('lets its owner sign in with either, tells them by mail, and is recorded', async () => {
    const operator = await application.operator();
    const { authenticator, passkey } = await addPasskey(operator, ' Blue key ');
    expect(passkey).toMatchObject({ name: 'Blue key', lastUsedAt: null });
    expect((await passkeysOf(operator)).map(({ name }) => name)).toEqual(['This computer', 'Blue key']);
    expect((await signInWith(application.browser(), authenticator)).data).toMatchObject({ kind: 'full', email: operator.email });
    expect((await signInWith(application.browser(), operator.passkey)).data).toMatchObject({ email: operator.email });
    expect((await operator.mails())[0]).toMatchObject({ subject: expect.stringMatching(/passkey/i) });
    expect(await actionsOf((await accountOf(operator)).operatorId)).toEqual(['passkey.added']);
  });

  test('is told by mail each time, also when its client chose an id that another account had, or this one before', async () => {
    const credentialId = randomBytes(32);
    const told = async (client: PortalClient) => {
      const subjects = (await client.mails()).map(({ subject }) => subject).filter((subject) => subject.includes('passkey'));
      return [/added/, /removed/].map((kind) => subjects.filter((subject) => kind.test(subject)).length);
    };
    const [attacker, owner] = [await application.operator(), await application.operator()];
    const planted = await addPasskey(attacker, 'Decoy', { credentialId });
    expect((await remove(attacker, planted.passkey.id)).errors).toEqual([]);
    for (let time = 1; time <= 2; time += 1) {
      const { passkey } = await addPasskey(owner, 'Planted', { credentialId });
      expect(await told(owner)).toEqual([time, time - 1]);
      expect((await remove(owner, passkey.id)).errors).toEqual([]);
      expect(await told(owner)).toEqual([time, time]);
    }
    const thief = application.browser();
    expect((await redeem(thief, owner.recoveryCodes[0])).errors).toEqual([]);
    await enrolAgain(thief, { credentialId });
    expect(await told(owner)).toEqual([3, 2]);
  });

  test.each([1_024, 2_100, 9_000])('refuses an identifier of %i bytes, which no authenticator makes', async (bytes) => {
    const credentialId = randomBytes(bytes);
    const [operator, visitor] = [await application.operator(), application.browser()];
    expect(Object.keys(fieldsOf(await tryAddPasskey(operator, 'Huge', { credentialId })))).toEqual(['input.response']);
    expect(await passkeysOf(operator)).toHaveLength(1);
    await redeem(operator, operator.recoveryCodes[0]);
    await visitor.beginEnrolment();
    for (const client of [operator, visitor]) {
      const response = new SoftwarePasskey().create(await client.creationOptions(), client.origin, { credentialId });
      expect(Object.keys(fieldsOf(await client.enrol(response)))).toEqual(['input.response']);
    }
  });

  test('takes an identifier of 1,023 bytes, which signs in', async () => {
    const { authenticator } = await addPasskey(await application.operator(), 'Long', { credentialId: randomBytes(1_023) });
    expect((await signInWith(application.browser(), authenticator)).data).toMatchObject({ kind: 'full' });
  });

  test('keeps the account’s user handle and excludes the passkeys that it has', async () => {
    const operator = await application.operator();
    await operator.confirmFreshly();
    const options = await operator.must<PublicKeyCredentialCreationOptionsJSON>('beginPasskeyAddition');
    const [own] = await passkeysOf(operator);
    expect(options.excludeCredentials?.map(({ id }) => id)).toEqual([own?.id]);
    const again = await operator.must<PublicKeyCredentialCreationOptionsJSON>('beginPasskeyAddition');
    expect(again.user.id).toBe(options.user.id);
    expect(() => operator.passkey.create(options, operator.origin)).toThrow('already holds');
  });

  test('needs a fresh confirmation at its beginning and at its end', async () => {
    const operator = await application.operator();
    expect(codesOf(await operator.call('beginPasskeyAddition'))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    await operator.confirmFreshly();
    const options = await operator.must<PublicKeyCredentialCreationOptionsJSON>('beginPasskeyAddition');
    application.clock.advance(5 * minute - 1_000);
    await operator.viewer();
    application.clock.advance(2_000);
    const input = { response: new SoftwarePasskey().create(options, operator.origin), name: 'Late' };
    expect(codesOf(await operator.call('finishPasskeyAddition', { input }))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    expect(await passkeysOf(operator)).toHaveLength(1);
  });

  test('refuses a challenge of another session, and the same one twice', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    for (const client of [operator, stranger]) await client.confirmFreshly();
    const options = await stranger.must<PublicKeyCredentialCreationOptionsJSON>('beginPasskeyAddition');
    const input = { response: new SoftwarePasskey().create(options, operator.origin), name: 'Planted' };
    expect(Object.keys(fieldsOf(await operator.call('finishPasskeyAddition', { input })))).toEqual(['input.response']);
    expect((await stranger.call('finishPasskeyAddition', { input })).errors).toEqual([]);
    expect(Object.keys(fieldsOf(await stranger.call('finishPasskeyAddition', { input })))).toEqual(['input.response']);
  });

  test('stops at 20, also when many come at the same moment', async () => {
    const operator = await application.operator();
    await operator.confirmFreshly();
    await furtherPasskeys(application, (await accountOf(operator)).operatorId, 17);
    const responses = [];
    for (let index = 0; index < 4; index += 1) {
      const options = await operator.must<PublicKeyCredentialCreationOptionsJSON>('beginPasskeyAddition');
      responses.push(new SoftwarePasskey().create(options, operator.origin));
    }
    const answers = await Promise.all(
      responses.map((response) => operator.copy().call('finishPasskeyAddition', { input: { response, name: 'One more' } })),
    );
    expect(answers.map(codesOf).sort()).toEqual([[], [], ['CONFLICT'], ['CONFLICT']]);
    expect(await passkeysOf(operator)).toHaveLength(20);
  });
});

describe('renaming a passkey', () => {
  test('changes its name alone', async () => {
    const operator = await application.operator();
    const [passkey] = await passkeysOf(operator);
    expect((await rename(operator, passkey?.id ?? '', ' Work laptop ')).data).toEqual({ ...passkey, name: 'Work laptop' });
    expect(await actionsOf((await accountOf(operator)).operatorId)).toEqual(['passkey.renamed']);
  });

  test.each(['', '   ', 'x'.repeat(61), 'a\u0007b'])('to %j is refused at the field', async (name) => {
    const operator = await application.operator();
    const [passkey] = await passkeysOf(operator);
    expect(fieldsOf(await rename(operator, passkey?.id ?? '', name))).toEqual({ 'input.name': expect.stringContaining('1 to 60') });
  });
});

describe('removing a passkey', () => {
  test('ends it: it no longer signs in, and the other one keeps working', async () => {
    const operator = await application.operator();
    const { authenticator, passkey } = await addPasskey(operator, 'Lost key');
    expect((await remove(operator, passkey.id)).data).toMatchObject({ id: passkey.id, name: 'Lost key' });
    expect(codesOf(await signInWith(application.browser(), authenticator))).toEqual(['UNAUTHENTICATED']);
    expect((await signInWith(application.browser(), operator.passkey)).data).toMatchObject({ kind: 'full' });
    expect(await actionsOf((await accountOf(operator)).operatorId)).toEqual(['passkey.added', 'passkey.removed']);
    const [told] = await operator.mails();
    expect(told).toMatchObject({ subject: 'A passkey was removed from your account', text: expect.stringContaining('Passkey: Lost key') });
  });

  test('needs a fresh confirmation', async () => {
    const operator = await application.operator();
    const { passkey } = await addPasskey(operator, 'Other');
    application.clock.advance(5 * minute + 1_000);
    expect(codesOf(await remove(operator, passkey.id))).toEqual(['FRESH_PASSKEY_REQUIRED']);
  });

  test('never takes the last one, also of two at the same moment', async () => {
    const operator = await application.operator();
    const { passkey } = await addPasskey(operator, 'Other');
    const [first] = await passkeysOf(operator);
    const answers = await Promise.all([remove(operator.copy(), passkey.id), remove(operator.copy(), first?.id ?? '')]);
    expect(answers.map(codesOf).sort()).toEqual([[], ['CONFLICT']]);
    expect(answers.flatMap(({ errors }) => errors)[0]?.message).toContain('your only passkey');
    expect(await passkeysOf(operator)).toHaveLength(1);
  });

  test('takes back what it may have confirmed elsewhere, at once; the browser that removes stays confirmed', async () => {
    const operator = await application.operator();
    const { authenticator, passkey } = await addPasskey(operator, 'Lost key');
    const thief = application.browser();
    await signInWith(thief, authenticator);
    const confirmation = () => thief.must<PublicKeyCredentialRequestOptionsJSON>('beginPasskeyConfirmation');
    const confirm = async (options: PublicKeyCredentialRequestOptionsJSON) =>
      thief.call('finishPasskeyConfirmation', { input: { response: authenticator.get(options, thief.origin) } });
    expect(codesOf(await confirm(await confirmation()))).toEqual([]);
    const begun = await confirmation();
    expect((await remove(operator, passkey.id)).errors).toEqual([]);
    expect(codesOf(await thief.call('regenerateRecoveryCodes'))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    expect(codesOf(await confirm(begun))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await operator.call('regenerateRecoveryCodes'))).toEqual([]);
  });

  test.each(['regenerateRecoveryCodes', 'deleteAccount'] as const)('takes it back also from a %s that is waiting', async (operation) => {
    const operator = await application.operator();
    await operator.confirmFreshly();
    const { operatorId } = await accountOf(operator);
    const removal = await application.pool.connect();
    try {
      await removal.query('begin');
      await removal.query('select 1 from operator where id = $1 for no key update', [operatorId]);
      const waiting = operator.call(operation);
      await waitForLock(application);
      await removal.query('update portal_session set confirmed_until = null where operator_id = $1', [operatorId]);
      await removal.query('commit');
      expect(codesOf(await waiting)).toEqual(['FRESH_PASSKEY_REQUIRED']);
    } finally {
      removal.release();
    }
  });

  test('of another account finds nothing, as one that never existed; neither does renaming', async () => {
    const [owner, stranger] = [await application.operator(), await application.operator()];
    const { passkey } = await addPasskey(owner, 'Other');
    await addPasskey(stranger, 'Other');
    for (const attempt of [remove, (client: PortalClient, id: string) => rename(client, id, 'Mine')]) {
      const answers = [await attempt(stranger, passkey.id), await attempt(stranger, 'never-existed')];
      expect(answers.map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
    }
    expect((await passkeysOf(owner)).map(({ name }) => name)).toEqual(['This computer', 'Other']);
  });
});
