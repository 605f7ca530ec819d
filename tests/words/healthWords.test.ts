import { expect, test } from '@jest/globals';
import { toldOnTab } from '../../portal-web/src/features/attention/healthWords.ts';

type Health = Parameters<typeof toldOnTab>[0];

const refused = { page: 'requests', about: '30 of 33 calls refused in 2 hours', level: 'attention' } as Health['acts'][number];
const overdue = { page: 'deletions', about: '1 deletion overdue', level: 'failing' } as Health['acts'][number];
const health = {
  level: 'failing',
  sentence: 'Production: 1 deletion overdue.',
  acts: [overdue, refused],
  unnamed: [],
  signals: [
    { page: 'webhooks', level: 'attention' },
    { page: 'certificates', level: 'healthy' },
  ],
} as unknown as Health;
const on = (page: string) => toldOnTab(health, { isHere: (act) => act.page === page, steps: false });

test('a tab’s line leads to what the tab says, in the state of that, and only then names what is elsewhere', () => {
  expect(on('requests')).toMatchObject({
    level: 'attention',
    words: 'See below. Elsewhere: 1 deletion overdue.',
    acts: [{ page: 'deletions' }],
  });
  expect(on('webhooks')).toMatchObject({
    level: 'failing',
    words: 'Elsewhere: 1 deletion overdue; 30 of 33 calls refused in 2 hours.',
  });
});

test('where a tab’s line does not name all there is to do elsewhere, it says how much more there is', () => {
  expect(on('webhooks')).not.toHaveProperty('more');
  const isHere = ({ page }: { readonly page: string }) => page === 'webhooks';
  const told = toldOnTab({ ...health, unnamed: ['webhooks', 'certificates', 'deletions'] }, { isHere, steps: false });
  expect(told).toMatchObject({ more: 2, words: 'See below. Elsewhere: 1 deletion overdue; 30 of 33 calls refused in 2 hours.' });
  expect(toldOnTab({ ...health, unnamed: ['webhooks'] }, { isHere, steps: false })).not.toHaveProperty('more');
});

test('a tab’s line leads to what the tab says also where its sentence leaves that out, in the state of that', () => {
  const told = (page: string, unnamed: Health['unnamed']) =>
    toldOnTab({ ...health, unnamed }, { isHere: (act) => act.page === page, steps: false });
  expect(told('webhooks', ['webhooks'])).toMatchObject({
    level: 'attention',
    words: 'See below. Elsewhere: 1 deletion overdue; 30 of 33 calls refused in 2 hours.',
  });
  expect(told('certificates', ['webhooks'])).toMatchObject({ level: 'failing', words: expect.stringMatching(/^Elsewhere: /) });
});

test('a tab that all of it is about says it alone', () => {
  expect(toldOnTab({ ...health, acts: [refused] }, { isHere: () => true, steps: false })).toBeNull();
});
