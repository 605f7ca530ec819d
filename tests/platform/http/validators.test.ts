import { expect, test } from '@jest/globals';
import { codedEtag, isUnchanged, settledDate, unchangedEtag } from '../../../server/platform/http/validators.ts';

const etag = '"abc-_9"';
const lastModified = new Date('2026-11-21T10:00:00.700Z');

test.each([
  ['*'],
  ['"abc-_9"'],
  ['W/"abc-_9"'],
  ['"x", "abc-_9"'],
  ['"x,y",W/"abc-_9" , "z"'],
  ['"abc-_9-gzip"'],
  ['"abc-_9-zstd"'],
  ['"abc-_9--gzip"'],
  ['"abc-_9;gzip"'],
  ['"abc-_9:br"'],
  ['W/"abc-_9-x-gzip"'],
])('If-None-Match: %s names what has the ETag "abc-_9"', (header) => {
  expect(isUnchanged({ 'if-none-match': header }, { etag })).toBe(true);
});

test.each([
  [''],
  ['"abc"'],
  ['abc-_9'],
  ['"abc-_9"x'],
  ['w/"abc-_9"'],
  ['"gzip"'],
  ['"-gzip"'],
  ['"abc-_9-lzma"'],
  ['"abc-_9-gzip-gzip"'],
  ['"ABC-_9"'],
])('If-None-Match: %s does not', (header) => {
  expect(isUnchanged({ 'if-none-match': header }, { etag })).toBe(false);
});

test.each([
  ['Sat, 21 Nov 2026 10:00:00 GMT', true],
  ['Saturday, 21-Nov-26 10:00:00 GMT', true],
  ['Sat Nov 21 10:00:00 2026', true],
  ['Sat, 21 Nov 2026 10:00:01 GMT', true],
  ['Sat, 21 Nov 2026 09:59:59 GMT', false],
  ['Sat, 21 Nov 2026 10:00:00 +0000', false],
  ['2026-11-21T10:00:00Z', false],
  ['Sat, 41 Nov 2026 10:00:00 GMT', false],
  ['tomorrow', false],
  ['', false],
])('If-Modified-Since: %s: unchanged %s', (date, unchanged) => {
  expect(isUnchanged({ 'if-modified-since': date }, { etag, lastModified })).toBe(unchanged);
  expect(isUnchanged({ 'if-modified-since': date }, { etag })).toBe(false);
});

test('a date is not looked at beside tags, even where these cannot be parsed', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
  for (const tags of ['"other"', 'x'])
    expect(isUnchanged({ 'if-none-match': tags, 'if-modified-since': date }, { etag, lastModified })).toBe(false);
});

test('a date is told when nothing else can be of its second, on a clock that differs by a second or two', () => {
  const at = (milliseconds: number) => settledDate(lastModified, new Date(lastModified.getTime() + milliseconds));
  expect(at(0)).toBeUndefined();
  expect(at(2_200)).toBeUndefined();
  expect(at(2_300)).toBe(lastModified);
  expect(settledDate(undefined, new Date())).toBeUndefined();
});

test('a 304 has the ETag of the coding that would have been sent, unless its reader holds the bytes without one', () => {
  expect(codedEtag(etag, null)).toBe(etag);
  expect(codedEtag(etag, 'zstd')).toBe('"abc-_9-zstd"');
  expect(unchangedEtag('"abc-_9-gzip"', etag, 'gzip')).toBe('"abc-_9-gzip"');
  expect(unchangedEtag('"abc-_9-gzip"', etag, 'zstd')).toBe('"abc-_9-zstd"');
  expect(unchangedEtag('"abc-_9-gzip"', etag, null)).toBe(etag);
  expect(unchangedEtag('W/"abc-_9"', etag, 'gzip')).toBe(etag);
  expect(unchangedEtag('"abc-_9", "abc-_9-gzip"', etag, 'gzip')).toBe('"abc-_9-gzip"');
  expect(unchangedEtag('*', etag, 'gzip')).toBe('"abc-_9-gzip"');
});
