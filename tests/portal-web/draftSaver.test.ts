import { expect, test } from '@jest/globals';
import { DraftSaver } from '../../portal-web/src/features/drafts/DraftSaver.ts';

type Draft = { met: boolean | null; note: string };
type Saved = Awaited<ReturnType<ConstructorParameters<typeof DraftSaver<string, Draft>>[0]>>;

/** A service that answers when the test lets it. */
function service() {
  const calls: { part: string; note: string; version: number; answer: (saved: Saved) => void }[] = [];
  const save = (part: string, { note }: Draft, version: number) =>
    new Promise<Saved>((answer) => calls.push({ part, note, version, answer }));
  const saver = new DraftSaver<string, Draft>(save, () => undefined);
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

const elsewhere = { refusal: { words: 'You have changed this in another window.', conflict: true } };

test('what is refused stays on the page, and is sent again only when the reviewer keeps it, over what is stored by now', async () => {
  const { saver, calls, write, sent } = service();
  write('Mine.');
  const refused = saver.flush();
  await settled();
  calls[0]?.answer(elsewhere);
  expect([await refused, saver.refusal, saver.conflicts, saver.draftOf('privacy', 5)]).toEqual([
    false,
    elsewhere.refusal,
    ['privacy'],
    { met: null, note: 'Mine.' },
  ]);
  write('Mine, still.', 5);
  expect(await saver.flush()).toBe(false);
  expect(sent()).toHaveLength(1);
  const again = saver.keepMine(() => 5);
  await settled();
  calls[1]?.answer({ version: 6 });
  expect([await again, sent()[1], saver.refusal, saver.conflicts]).toEqual([true, ['Mine, still.', 5], null, []]);
});

test('a reviewer who takes what is stored loses only that, and their other notes are saved', async () => {
  const { saver, calls, write, sent } = service();
  write('Mine.');
  const refused = saver.flush();
  await settled();
  saver.set('terms', { met: false, note: 'Not there.' }, 2, false);
  calls[0]?.answer(elsewhere);
  await settled();
  expect([await refused, saver.saved]).toEqual([false, false]);
  const rest = saver.takeTheirs();
  await settled();
  calls[1]?.answer({ version: 3 });
  expect([await rest, saver.draftOf('privacy', 5), saver.draftOf('terms', 3)?.note]).toEqual([true, undefined, 'Not there.']);
  expect(sent()).toEqual([
    ['Mine.', 0],
    ['Not there.', 2],
  ]);
  write('Again.', 5);
  void saver.flush();
  await settled();
  expect(sent()[2]).toEqual(['Again.', 5]);
});

test('where the service does not answer, trying again sends the same over the same version', async () => {
  const { saver, calls, write, sent } = service();
  write('Mine.', 4);
  const refused = saver.flush();
  await settled();
  calls[0]?.answer({ refusal: { words: 'The portal did not answer.', conflict: false } });
  expect([await refused, saver.conflicts, saver.unsavedOf('privacy')?.note]).toEqual([false, [], 'Mine.']);
  const again = saver.retry();
  await settled();
  calls[1]?.answer({ version: 5 });
  expect([await again, sent()[1], saver.unsavedOf('privacy')]).toEqual([true, ['Mine.', 4], undefined]);
});

test('what has been sent is forgotten, with the answer that comes too late; what is stored nowhere else stays', async () => {
  const { saver, calls, write } = service();
  write('Sent.');
  void saver.flush();
  await settled();
  saver.about('sub_1');
  expect(saver.draftOf('privacy', 0)?.note).toBe('Sent.');
  saver.forget();
  calls[0]?.answer(elsewhere);
  await settled();
  expect([saver.refusal, saver.saved, saver.draftOf('privacy', 0)]).toEqual([null, true, undefined]);
  write('Stored.');
  void saver.flush();
  await settled();
  calls[1]?.answer({ version: 9 });
  await settled();
  saver.about('sub_1');
  expect(saver.draftOf('privacy', 0)?.note).toBe('Stored.');
  saver.about('sub_2');
  expect(saver.draftOf('privacy', 0)).toBeUndefined();
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
