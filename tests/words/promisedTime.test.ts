import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const promises = ['README.md', 'docs/guides/quickstart.md', 'portal-web/src/pages/public/landing/LandingPage.tsx'];

test('all that promise how soon the first order is synced promise the same time', () => {
  const promised = promises.map((file) => /first synced order,?(?: take| in)? (.*?minutes)/.exec(readFileSync(file, 'utf8'))?.[1]);
  expect(promised).toEqual(promises.map(() => 'about five minutes'));
});
