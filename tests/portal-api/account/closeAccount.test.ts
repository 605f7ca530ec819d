import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../../server/adminCommands.ts';
import { accountOf, redeem, signInWith } from '../../support/clients/accountClient.ts';
import { codesOf } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { submit } from '../../support/world/reviewPath.ts';
import { terminalConfig } from '../../support/world/testKeys.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const run = (...args: string[]) =>
  adminCommand(['close-account', ...args])(application.orm.em.fork(), application.clock.now(), terminalConfig());
const close = (email: string, ...more: string[]) => run(email, 'Its owner has died.', ...more);

test('the terminal shows what ends with an account, changes nothing, and closes it when it is given the number back', async () => {
  const owner = await application.operator();
  const { operatorId } = await accountOf(owner);
  const [one, two] = [await owner.createIntegration(), await owner.createIntegration()];
  const shown = await close(owner.email);
  expect(shown).toMatchObject({ result: '3', words: expect.stringContaining('2 integrations') });
  for (const { slug } of [one, two]) expect(shown.words).toContain(slug);
  await expect(close(owner.email, '--count', '2')).rejects.toMatchObject({ code: 'conflict' });
  expect((await owner.viewer()).data).toMatchObject({ kind: 'full' });

  const done = await close(owner.email, '--count', '3');
  expect(done.words).toBe(`${operatorId} is closed.`);
  expect((await owner.viewer()).data).toBeNull();
  expect(codesOf(await signInWith(application.browser(), owner.passkey))).toEqual(['UNAUTHENTICATED']);
  expect(codesOf(await redeem(application.browser(), owner.recoveryCodes[0]))).toEqual(['NOT_FOUND']);
  expect(await application.rows('select distinct status from integration where operator_id = $1', [operatorId])).toEqual([
    { status: 'retired' },
  ]);
  const [mail] = await application.browser().mails(owner.email);
  expect(mail?.subject).toBe('Your account has been deleted');
  expect(mail?.text).toContain('Its owner has died.');
  const trail = await application.rows("select actor_id, details->>'reason' as reason from audit_entry where action = 'operator.closed'");
  expect(trail).toEqual([{ actor_id: 'terminal', reason: 'Its owner has died.' }]);
  await expect(close(owner.email)).rejects.toMatchObject({ code: 'not_found' });
});

test('an account under review is closed as well, since nobody is left who could withdraw the submission', async () => {
  const owner = await application.operator();
  await submit(application, owner, await owner.createIntegration());
  expect((await close(owner.email, '--count', '2')).words).toContain('is closed');
});

test('the last administrator is not closed', async () => {
  const last = await administrator(application);
  await expect(close(last.email)).rejects.toMatchObject({ code: 'conflict' });
});
