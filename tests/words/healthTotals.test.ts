import { expect, test } from '@jest/globals';
import { healthOptions, healthTotalWords } from '../../portal-web/src/features/attention/healthTotals.ts';

const counts = [
  { level: 'healthy', count: 1_180 },
  { level: 'retired', count: 1 },
  { level: 'attention', count: 2 },
  { level: 'failing', count: 3 },
] as const;

test('how many integrations are of each health is said in words, the gravest first, and what none is stays unsaid', () => {
  expect(healthTotalWords(counts)).toBe('3 failing, 2 need attention, 1,180 working, 1 retired');
  expect(healthTotalWords([{ level: 'attention', count: 1 }])).toBe('1 needs attention');
});

test('a list is narrowed to a health by the word that its rows have, with its number, also where that is none', () => {
  const labels = healthOptions(counts, ['retired']).map(({ label }) => label);
  expect(labels.slice(0, 4)).toEqual(['any', 'failing (3)', 'needs attention (2)', 'suspended (0)']);
  expect(labels).not.toContain('retired (1)');
});
