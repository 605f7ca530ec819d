import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { inspectJpeg } from '../../../../server/domain/logo/image/inspectJpeg.ts';
import { inspectPng, pngSignature } from '../../../../server/domain/logo/image/inspectPng.ts';
import { inspectWebp } from '../../../../server/domain/logo/image/inspectWebp.ts';
import { logoLimits } from '../../../../server/domain/logo/image/logoLimits.ts';
import { WorkingTime } from '../../../../server/domain/logo/image/WorkingTime.ts';

const most = logoLimits.logoParts;
const tooMany = { reason: 'unsupported', message: expect.stringContaining('more than 4,096 parts') };
const bytes = (length: number, write: (buffer: Buffer) => unknown): Buffer => {
  const buffer = Buffer.alloc(length);
  write(buffer);
  return buffer;
};

const pngOf = (count: number): Buffer => {
  const type = Buffer.from('tEXt');
  const chunk = Buffer.concat([Buffer.alloc(4), type, bytes(4, (buffer) => buffer.writeUInt32BE(crc32(type)))]);
  return Buffer.concat([pngSignature, ...Array.from({ length: count }, () => chunk)]);
};
const jpegOf = (count: number): Buffer =>
  Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(4 * count, Buffer.from('ffe10002', 'hex'))]);
const webpOf = (count: number): Buffer => {
  const chunks = Buffer.concat(Array.from({ length: count }, () => Buffer.from('JUNK\0\0\0\0')));
  return Buffer.concat([Buffer.from('RIFF'), bytes(4, (buffer) => buffer.writeUInt32LE(chunks.length + 4)), Buffer.from('WEBP'), chunks]);
};

test.each([
  ['PNG', (file: Buffer) => inspectPng(file, new WorkingTime(new AbortController().signal)), pngOf],
  ['JPEG', inspectJpeg, jpegOf],
  ['WebP', inspectWebp, webpOf],
])('a %s of thousands of empty parts is refused before they are looked through', async (_format, inspect, fileOf) => {
  await expect(async () => inspect(fileOf(most + 1))).rejects.toMatchObject(tooMany);
  await expect(async () => inspect(fileOf(most))).rejects.not.toMatchObject(tooMany);
});
