import { expect, test } from '@jest/globals';
import { dayComplaints } from '../../portal-web/src/features/audit/timeRanges.ts';
import { cursorName, withListAtStart } from '../../portal-web/src/ui/lists/listAddress.ts';
import { sortedRows } from '../../portal-web/src/ui/lists/sortedRows.ts';

const columns = [
  { header: 'Code', sortBy: ({ code }: Row) => code },
  { header: 'Count', sortBy: ({ count }: Row) => count },
  { header: 'Advice' },
];
type Row = { code: string; count: number };
const rows: readonly Row[] = [
  { code: 'beta', count: 9 },
  { code: 'Alpha', count: 10 },
  { code: 'gamma', count: 9 },
];
const codes = (header: string, direction: 'ascending' | 'descending') =>
  sortedRows(columns, rows, { header, direction }).map(({ code }) => code);

test('a day whose year has five digits, and days in the wrong order, are said at their field', () => {
  expect(dayComplaints({ from: '2026-11-01', to: '2026-11-01' })).toEqual({});
  expect(dayComplaints({ from: '', to: '' })).toEqual({});
  const fourDigits = 'Enter a day whose year has four digits.';
  expect(dayComplaints({ from: '12026-11-01', to: '2026-11-01' })).toEqual({ from: fourDigits });
  expect(dayComplaints({ from: '2026-11-01', to: '12026-11-01' })).toEqual({ to: fourDigits });
  expect(dayComplaints({ from: '2026-11-02', to: '2026-11-01' })).toEqual({ to: 'The last day must not be before the first.' });
});

test('a reader who sorts a table finds words in alphabetical order, numbers by their value, and equal rows where they were', () => {
  expect(codes('Code', 'ascending')).toEqual(['Alpha', 'beta', 'gamma']);
  expect(codes('Count', 'ascending')).toEqual(['beta', 'gamma', 'Alpha']);
  expect(codes('Count', 'descending')).toEqual(['Alpha', 'beta', 'gamma']);
});

test('rows stay as they come until a reader sorts them, and by a column that has number order', () => {
  expect(sortedRows(columns, rows, null)).toBe(rows);
  expect(sortedRows(columns, rows, { header: 'Advice', direction: 'ascending' })).toBe(rows);
});

test('a filter brings its own list back to the first page, and leaves the search and the other lists as they are', () => {
  const state = {
    search: 'anna@example.org',
    turned: { integrations: ['c1'], '': ['c2'] },
    after: { integrations: 'c3' },
    broughtBack: { integrations: true },
  } as const;
  expect(withListAtStart(state, 'integrations')).toEqual({ search: 'anna@example.org', turned: { '': ['c2'] } });
  expect([cursorName(''), cursorName('integrations')]).toEqual(['after', 'integrationsAfter']);
});
