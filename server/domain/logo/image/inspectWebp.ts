import { refuseHiddenFile, refuseTrailingData } from './foreignContent.ts';
import type { InspectedImage } from './InspectedImage.ts';
import { LogoRefused } from './logoRefusals.ts';
import { refuseManyParts } from './refuseManyParts.ts';
import { refuseSides } from './refuseSides.ts';

type Chunk = { readonly type: string; readonly data: Buffer };
type Size = { readonly width: number; readonly height: number };

/** Reads a WebP chunk by chunk: it must be one complete still image of the right size, with nothing after it. */
export function inspectWebp(bytes: Buffer): InspectedImage {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw new LogoRefused('truncated');
  const chunks = chunksOf(bytes.subarray(12, end));
  const extended = chunks.find(({ type }) => type === 'VP8X')?.data;
  if (((extended?.[0] ?? 0) & 2) !== 0 || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) {
    throw new LogoRefused('animated', 'WebP');
  }
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const [picture] = pictures;
  if (!picture || pictures.length > 1) throw new LogoRefused('damaged', 'it does not contain exactly one image');
  const size = picture.type === 'VP8 ' ? lossySize(picture.data) : losslessSize(picture.data);
  const canvas = extended ? canvasSize(extended) : size;
  if (canvas.width !== size.width || canvas.height !== size.height) throw new LogoRefused('damaged', 'its header gives a different size');
  refuseSides(size.width, size.height);
  refuseTrailingData(bytes.subarray(end));
  for (const { type, data } of chunks) if (!['VP8 ', 'VP8L', 'VP8X', 'ALPH'].includes(type)) refuseHiddenFile(data);
  return { format: 'webp', ...size, decodable: bytes };
}

function chunksOf(body: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < body.length;) {
    if (at + 8 > body.length) throw new LogoRefused('truncated');
    const length = body.readUInt32LE(at + 4);
    if (at + 8 + length > body.length) throw new LogoRefused('truncated');
    chunks.push({ type: body.toString('latin1', at, at + 4), data: body.subarray(at + 8, at + 8 + length) });
    refuseManyParts(chunks.length);
    // Chunks begin at even offsets.
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function lossySize(data: Buffer): Size {
  if (data.length < 10) throw new LogoRefused('truncated');
  if (data.readUIntBE(3, 3) !== 0x9d012a) throw new LogoRefused('damaged', 'its image data does not begin correctly');
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

function losslessSize(data: Buffer): Size {
  if (data.length < 5) throw new LogoRefused('truncated');
  if (data[0] !== 0x2f) throw new LogoRefused('damaged', 'its image data does not begin correctly');
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function canvasSize(data: Buffer): Size {
  if (data.length < 10) throw new LogoRefused('truncated');
  return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
}
