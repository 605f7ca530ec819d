import { expect, test } from '@jest/globals';
import { DraftSaver, type Draft, type Saved } from '../../portal-web/src/features/sitting/draftSaver.ts';

/** A service that answers when the test lets it. */
function service() {
  const calls: { part: string; note: string; version: number; answer: (saved: Saved) => void }[] = [];
  const save = (part: string, { note }: Draft, version: number) =>
    new Promise<Saved>((answer) => calls.push({ part, note, version, answer }));
  const saver = new DraftSaver<string>(save, () => undefined);
  const write = (note: string, version = 0) => saver.set('privacy', { met: null, note }, version, false);
  return { saver, calls, write, sent: () => calls.map(({ note, version }) => [note, version]) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what a reviewer types while it is being saved is sent afterwards, on top of the version that was stored', async () => {
  const { saver, calls, write, sent } = service();
  write('The link');
  const flushed = saver.flush();
  await settled();
  write('The link is dead.');
  expect(sent()).toEqual([['The link', 0]]);
  calls[0]?.answer({ version: 1 });
  await settled();
  expect(sent()).toEqual([
    ['The link', 0],
    ['The link is dead.', 1],
  ]);
  calls[1]?.answer({ version: 2 });
  expect([await flushed, saver.saved]).toEqual([true, true]);
});

test('what is refused stays on the page, and is sent again only when the reviewer asks, over what is stored by now', async () => {
  const { saver, calls, write, sent } = service();
  write('Mine.');
  const refused = saver.flush();
  await settled();
  calls[0]?.answer({ refusal: 'You have changed this in another window.' });
  expect([await refused, saver.refusal, saver.draftOf('privacy', 5)]).toEqual([
    false,
    'You have changed this in another window.',
    { met: null, note: 'Mine.' },
  ]);
  write('Mine, still.', 5);
  expect(await saver.flush()).toBe(false);
  expect(sent()).toHaveLength(1);
  const again = saver.saveOver(() => 5);
  await settled();
  calls[1]?.answer({ version: 6 });
  expect([await again, sent()[1], saver.refusal]).toEqual([true, ['Mine, still.', 5], null]);
});

test('a later version from another window replaces what is saved here, and nothing that is not', async () => {
  const { saver, calls, write } = service();
  write('Saved here.');
  const saved = saver.flush();
  await settled();
  calls[0]?.answer({ version: 1 });
  await saved;
  expect([saver.draftOf('privacy', 1)?.note, saver.draftOf('privacy', 2)]).toEqual(['Saved here.', undefined]);
  write('Typed here.', 2);
  expect(saver.draftOf('privacy', 3)?.note).toBe('Typed here.');
  const last = saver.flush();
  await settled();
  expect(calls[1]?.version).toBe(2);
  calls[1]?.answer({ version: 3 });
  expect(await last).toBe(true);
});
