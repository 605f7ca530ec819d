import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { serverLimits } from '../../../server/platform/http/serverLimits.ts';
import { encodeFor, wishedCoding } from '../../../server/platform/http/contentCoding.ts';

test.each([
  [undefined, null, true],
  ['', null, true],
  ['gzip', 'gzip', true],
  ['zstd', 'zstd', true],
  ['x-gzip', 'gzip', true],
  ['GZIP', 'gzip', true],
  ['gzip, deflate, br, zstd', 'zstd', true],
  ['gzip;q=1.0, zstd;q=0.5', 'gzip', true],
  ['gzip; q=0.5 , zstd ;q=0.4', 'gzip', true],
  ['gzip;q=0', null, true],
  ['gzip;q=0, zstd', 'zstd', true],
  ['gzip;q=0.000, zstd;q=0.0', null, true],
  ['*', 'zstd', true],
  ['*, gzip', 'gzip', true],
  ['*;q=0', null, false],
  ['*;q=0, gzip', 'gzip', false],
  ['gzip, *;q=0', 'gzip', false],
  ['gzip;q=0, *', 'zstd', true],
  ['identity', null, true],
  ['identity, gzip;q=0.5', null, true],
  ['identity;q=0.5, gzip', 'gzip', true],
  ['identity;q=0', null, false],
  ['identity;q=0, gzip', 'gzip', false],
  ['identity;q=0, *;q=0.5', 'zstd', false],
  ['br, deflate', null, true],
  ['gzip;q=2', null, true],
  ['gzip;q=0.1234', null, true],
  ['gzip;q=x, ;, "zstd"', null, true],
] as const)('Accept-Encoding: %s wishes for %s (as it is will do: %s)', (header, coding, plainWillDo) => {
  expect(wishedCoding(header)).toEqual({ coding, plainWillDo });
});

const long = Buffer.from('0123456789'.repeat(200));

test('bytes over 1 KiB come in the coding that is wished, shorter ones only where nothing else will do', async () => {
  const zstd = await encodeFor('zstd', long);
  expect(zstd.coding).toBe('zstd');
  expect(zstdDecompressSync(zstd.bytes)).toEqual(long);
  const gzip = await encodeFor('gzip', long);
  expect(gzip.coding).toBe('gzip');
  expect(gunzipSync(gzip.bytes)).toEqual(long);
  const short = long.subarray(0, serverLimits.uncompressedBytes);
  expect(await encodeFor('gzip', short)).toEqual({ bytes: short, coding: null });
  expect((await encodeFor('gzip, identity;q=0', short)).coding).toBe('gzip');
  expect(await encodeFor('br', long)).toEqual({ bytes: long, coding: null });
});

test('only so many bodies are compressed at once, and further ones are sent as they are at once', async () => {
  const codings = async () => (await Promise.all(Array.from({ length: 10 }, () => encodeFor('gzip', long)))).map(({ coding }) => coding);
  const expected = Array.from({ length: 10 }, (_, index) => (index < serverLimits.compressionsAtOnce ? 'gzip' : null));
  expect(await codings()).toEqual(expected);
  expect(await codings()).toEqual(expected);
});
