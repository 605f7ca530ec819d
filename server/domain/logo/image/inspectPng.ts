import { crc32, inflate } from 'node:zlib';
import { logoLimits } from './logoLimits.ts';
import { refuseHiddenFile, refuseTrailingData } from './foreignContent.ts';
import type { InspectedImage } from './InspectedImage.ts';
import { LogoRefused } from './logoRefusals.ts';
import { refuseManyParts } from './refuseManyParts.ts';
import { refuseSides } from './refuseSides.ts';
import type { WorkingTime } from './WorkingTime.ts';

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk with the bytes that it occupies in the file. */
type PngChunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer };

/** Reads the chunks up to IEND; `end` is the position after it. */
export function pngChunks(bytes: Buffer): { chunks: PngChunk[]; end: number } {
  const chunks: PngChunk[] = [];
  let at = pngSignature.length;
  for (;;) {
    if (at + 12 > bytes.length) throw new LogoRefused('truncated');
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) throw new LogoRefused('damaged', 'it has a chunk without a valid name');
    if (end > bytes.length) throw new LogoRefused('truncated');
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw new LogoRefused('damaged', `the checksum of its ${type} chunk is wrong`);
    }
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    refuseManyParts(chunks.length);
    at = end;
    if (type === 'IEND') return { chunks, end };
  }
}

/**
 * The chunks that the decoder is given; all others are dropped before it sees the file. iCCP is for the colours, eXIf for the orientation.
 */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'iCCP', 'eXIf', 'IDAT', 'IEND']);
const pixels = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * Reads a PNG chunk by chunk: it must be one complete still image of the right size, whose data unpacks to exactly its pixels. `time` is asked
 * before anything is unpacked.
 */
export async function inspectPng(bytes: Buffer, time: WorkingTime): Promise<InspectedImage> {
  const { chunks, end } = pngChunks(bytes);
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw new LogoRefused('damaged', 'it does not begin with its header');
  if (chunks.filter(({ type }) => type === 'IHDR').length > 1) throw new LogoRefused('damaged', 'it has two headers');
  if (chunks.some(({ type }) => type === 'acTL' || type === 'fcTL' || type === 'fdAT')) throw new LogoRefused('animated', 'PNG');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  refuseSides(width, height);
  refuseTrailingData(bytes.subarray(end));
  refuseSeconds(chunks);
  const strange = chunks.find(({ type }) => /^[A-Z]/.test(type) && !pixels.has(type));
  if (strange) throw new LogoRefused('unsupported', `the unknown chunk ${strange.type}`);
  for (const { type, data } of chunks) if (!pixels.has(type)) refuseHiddenFile(data);
  time.check();
  await refuseUnfittingPixels(header.data, Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  time.check();
  for (const { type, data } of chunks) if (type === 'iCCP') await refuseLargeProfile(data);
  const decodable = Buffer.concat([pngSignature, ...chunks.filter(({ type }) => kept.has(type)).map(({ whole }) => whole)]);
  return { format: 'png', width, height, decodable };
}

/**
 * Of the chunks that are kept, a PNG may have only pixels in several parts (W3C PNG, chunk ordering). Each further colour profile would
 * cost as much to unpack as the first.
 */
function refuseSeconds(chunks: readonly PngChunk[]): void {
  const seen = new Set<string>();
  for (const { type } of chunks) {
    if (seen.has(type) && kept.has(type)) throw new LogoRefused('damaged', `it has more than one ${type} chunk`);
    if (type !== 'IDAT') seen.add(type);
  }
}

type Unpacked = { readonly length: number; readonly consumed: number };

/** Unpacks at most `most` bytes, in a thread of its own; the output is only counted. */
function unpack(packed: Buffer, most: number): Promise<Unpacked> {
  return new Promise((resolve, reject) => {
    // With `info`, the result holds the bytes and the engine, which knows how far it has read; the types do not say so.
    inflate(packed, { maxOutputLength: most, info: true }, (error, result) => {
      if (error) return reject(refusalOf(error));
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
      resolve({ length: buffer.length, consumed: engine.bytesWritten });
    });
  });
}

async function refuseUnfittingPixels(header: Buffer, packed: Buffer): Promise<void> {
  const expected = rawBytes(header);
  const { length, consumed } = await unpack(packed, expected);
  if (length < expected) throw new LogoRefused('truncated');
  refuseTrailingData(packed.subarray(consumed));
}

async function refuseLargeProfile(data: Buffer): Promise<void> {
  // The chunk holds a name, a zero, the compression method and the packed profile.
  await unpack(data.subarray(data.indexOf(0) + 2), logoLimits.logoColourProfileBytes);
}

function refusalOf({ code }: NodeJS.ErrnoException): LogoRefused {
  if (code === 'ERR_BUFFER_TOO_LARGE') return new LogoRefused('bomb');
  return code === 'Z_BUF_ERROR' ? new LogoRefused('truncated') : new LogoRefused('damaged', 'its compressed data cannot be unpacked');
}

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Adam7: where each pass begins, and its steps, as [x, y, dx, dy]. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** How many bytes the pixels of an image with this header unpack to, including one byte before each row for its filter. */
function rawBytes(header: Buffer): number {
  const [width, height, depth, colour, interlace] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header.readUInt8(8),
    header.readUInt8(9),
    header.readUInt8(12),
  ];
  const samples = samplesOf[colour];
  if (samples === undefined || ![1, 2, 4, 8, 16].includes(depth) || interlace > 1) {
    throw new LogoRefused('damaged', 'its header names an image type that does not exist');
  }
  const rows = (columns: number, count: number): number => (columns === 0 ? 0 : count * (1 + Math.ceil((columns * samples * depth) / 8)));
  if (interlace === 0) return rows(width, height);
  return passes.reduce((sum, [x, y, dx, dy]) => sum + rows(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)), 0);
}
