import { expect, test } from '@jest/globals';
import { weights } from '../../measures/weights.ts';

test('what readers load stays below its ceilings, in kilobytes as served', () => {
  const { entry, signIn, palette, charts, whole, pages } = weights();
  expect(pages.length).toBeGreaterThan(30);
  expect(charts).toBeGreaterThan(10);
  const ceilings = [
    ['the entry', entry, 155],
    ['signing in', signIn, 150],
    ['the palette', palette, 22],
    ['charts', charts, 25],
    ['the application without the text of its documentation', whole, 425],
    ...pages.map(({ name, kB }) => [name, kB, 20] as const),
  ] as const;
  expect(ceilings.filter(([, today, most]) => today > most)).toEqual([]);
});
