import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { judgeUpserts, type UpsertInput } from '../../server/domain/tracking/judgeUpserts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-catalogue-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): Record<string, string> {
  const path = join(folder, 'catalogue.json');
  writeFileSync(path, text);
  return { CATALOGUE_FILE: path };
}

const order = (data: Record<string, unknown>): UpsertInput => ({
  type: 'order',
  key: 'o-1',
  version: '1',
  user: 'u-1',
  historyComplete: true,
  data: { status: 'placed', model: 'Kestrel', market: 'DE', ...data },
});

const judge = (data: Record<string, unknown>) => {
  const { catalogue } = readConfig('portal', fileOf('{"model": ["Kestrel", "Tarn"], "option_codes": ["MT337"], "vessel": ["Opal Sound"]}'));
  return judgeUpserts([order(data)], catalogue ?? {}, new Date());
};

test('values that the file names are taken, and so is any value of a field that it does not name', async () => {
  const data = { trim: 'Any trim', option_codes: ['MT337'], shipping: { vessel: 'Opal Sound', voyage: '045W' } };
  expect(await judge(data)).toHaveLength(1);
});

test('every other value is refused by its path, and not repeated', async () => {
  const refused = judge({ model: 'Anna Musterfrau', option_codes: ['MT337', 'XX1'], shipping: { vessel: 'Other Ship' } });
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_request',
    fields: ['model', 'option_codes', 'shipping.vessel'].map((path) => ({ path: `resources[0].data.${path}` })),
  });
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('Musterfrau') });
});

test.each([
  ['no JSON', '{', 'the file cannot be read as JSON'],
  ['another field', '{"colour": ["Red"]}', 'the file: its top level has an unknown field'],
  ['a text instead of a list', '{"model": "Kestrel"}', 'the file: model must be a list of texts'],
  ['an empty list', '{"model": []}', 'the file: model must be a list of texts'],
])('a file with %s stops the start', (_, text, words) => {
  expect(() => readConfig('portal', fileOf(text))).toThrow(`CATALOGUE_FILE: ${words}`);
});

test('only the process that takes resources reads it', () => {
  expect(readConfig('workers', { CATALOGUE_FILE: '/nowhere' }).catalogue).toBeUndefined();
  expect(() => readConfig('portal', { CATALOGUE_FILE: '/nowhere' })).toThrow('CATALOGUE_FILE: the file cannot be read as JSON');
});
