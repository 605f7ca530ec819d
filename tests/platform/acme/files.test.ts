import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { failureFile, lastFailure, noteFailure } from '../../../server/platform/acme/lastFailure.ts';
import { writeAtomically } from '../../../server/platform/writeAtomically.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-acme-files-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const failure = { failures: 2, notBefore: new Date('2026-01-01T12:00:00Z'), words: 'PORTAL_URL: no', remedy: 'Do something.' };

test('a failure is noted, and one that cannot be read is none', async () => {
  const place = { dir, server: 'https://acme.example/directory', names: new Map([['portal.example', 'PORTAL_URL']]) };
  expect(await lastFailure(place)).toBeUndefined();
  await noteFailure(place, failure);
  expect(await lastFailure(place)).toMatchObject(failure);
  const whole = await readFile(failureFile(place), 'utf8');
  for (const damaged of ['', '{', whole.slice(0, -20), 'null', '[]', '{"for":1}', '\0\0\0\0']) {
    await writeFile(failureFile(place), damaged);
    expect(await lastFailure(place)).toBeUndefined();
  }
});

test('what cannot be put in its place is not left beside it, and what was there stays', async () => {
  await writeAtomically(join(dir, 'key'), 'the former', 0o600);
  await mkdir(join(dir, 'taken/by/a/folder'), { recursive: true });
  await expect(writeAtomically(join(dir, 'taken'), 'the key', 0o600)).rejects.toThrow(/^E/);
  expect((await readdir(dir)).toSorted()).toEqual(['key', 'taken']);
  await writeAtomically(join(dir, 'key'), 'the next', 0o600);
  expect(await readFile(join(dir, 'key'), 'utf8')).toBe('the next');
});
