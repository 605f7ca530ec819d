import { deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { LogoRefused } from '../../../server/domain/logo/image/logoRefusals.ts';
import { logoLimits } from '../../../server/domain/logo/image/logoLimits.ts';
import { pngSignature } from '../../../server/domain/logo/image/inspectPng.ts';
import { chunk, frames, noise, packedPixels, picture, rawPng, scanOf, withChunks, withRiffLength, withSegment, zip } from './pictures.ts';

/** A file that must be refused, and what the refusal says about it. */
export type BadLogo = {
  readonly name: string;
  readonly reason: LogoRefused['reason'];
  readonly detail?: string;
  readonly make: () => Buffer | Promise<Buffer>;
};

/** The words of the refusal. */
export const wordsOf = ({ reason, detail = '' }: BadLogo): string => new LogoRefused(reason, detail).message;

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><script>alert(1)</script></svg>';
const html = '<html><script>alert(1)</script></html>';
const png = () => picture().png().toBuffer();
const jpeg = () => picture().jpeg().toBuffer();
const webp = () => picture().webp().toBuffer();
const damaged = 'its image cannot be decoded completely';

const otherKinds: readonly BadLogo[] = [
  { name: 'an empty file', reason: 'empty', make: () => Buffer.alloc(0) },
  { name: 'an SVG', reason: 'svg', make: () => Buffer.from(svg) },
  {
    name: 'an SVG behind a prolog and a comment',
    reason: 'svg',
    make: () => Buffer.from(`\ufeff<?xml version="1.0"?>\n<!-- ${'x'.repeat(3000)} -->${svg}`),
  },
  { name: 'an SVG in UTF-16', reason: 'svg', make: () => Buffer.from(`\ufeff${svg}`, 'utf16le') },
  { name: 'a packed SVG', reason: 'otherFormat', detail: 'a gzip archive', make: () => gzipSync(svg) },
  { name: 'a still GIF', reason: 'otherFormat', detail: 'a GIF', make: () => picture().gif().toBuffer() },
  { name: 'an animated GIF', reason: 'otherFormat', detail: 'a GIF', make: async () => (await frames()).gif().toBuffer() },
  { name: 'a GIF that is a script, too', reason: 'otherFormat', detail: 'a GIF', make: () => Buffer.from('GIF89a/*\0\0*/=alert(1)') },
  { name: 'a TIFF', reason: 'otherFormat', detail: 'a TIFF image', make: () => picture().tiff().toBuffer() },
  { name: 'an AVIF', reason: 'otherFormat', detail: 'a HEIC, AVIF or video file', make: () => picture(256).avif({ effort: 0 }).toBuffer() },
  { name: 'a BMP', reason: 'otherFormat', detail: 'a BMP image', make: () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]) },
  { name: 'a PDF', reason: 'otherFormat', detail: 'a PDF document', make: () => Buffer.from('%PDF-1.7\n%%EOF') },
  { name: 'a ZIP archive', reason: 'otherFormat', detail: 'a ZIP archive', make: () => zip },
  { name: 'an HTML page', reason: 'otherFormat', detail: 'an HTML page', make: () => Buffer.from(`<!doctype html>${html}`) },
  {
    name: 'an HTML page that goes on as JPEG',
    reason: 'otherFormat',
    detail: 'an HTML page',
    make: async () => Buffer.concat([Buffer.from(html), await jpeg()]),
  },
  { name: 'a text', reason: 'otherFormat', detail: 'not an image in any known format', make: () => Buffer.from('logo') },
];

const wrongSizes: readonly BadLogo[] = [
  { name: 'a PNG of 255 pixels', reason: 'sides', detail: '255 × 300', make: () => picture(255, 300).png().toBuffer() },
  { name: 'a JPEG of 255 pixels', reason: 'sides', detail: '300 × 255', make: () => picture(300, 255).jpeg().toBuffer() },
  { name: 'a PNG of 2049 pixels', reason: 'sides', detail: '2049 × 256', make: () => picture(2049, 256).png().toBuffer() },
  { name: 'a JPEG of 2049 pixels', reason: 'sides', detail: '256 × 2049', make: () => picture(256, 2049).jpeg().toBuffer() },
  { name: 'a WebP of 2049 pixels', reason: 'sides', detail: '256 × 2049', make: () => picture(256, 2049).webp().toBuffer() },
  {
    name: 'a lossless WebP of 255 pixels',
    reason: 'sides',
    detail: '255 × 255',
    make: () => picture(255).webp({ lossless: true }).toBuffer(),
  },
  {
    name: 'a PNG that says it has 50,000 pixels a side',
    reason: 'sides',
    detail: '50000 × 50000',
    make: () => rawPng(50_000, 50_000, deflateSync(Buffer.alloc(1000))),
  },
];

const animations: readonly BadLogo[] = [
  {
    name: 'an animated PNG',
    reason: 'animated',
    detail: 'PNG',
    make: async () => withChunks(await png(), chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
  },
  { name: 'an animated WebP', reason: 'animated', detail: 'WebP', make: async () => (await frames()).webp().toBuffer() },
];

const cutShort: readonly BadLogo[] = [
  { name: 'the signature of a PNG alone', reason: 'truncated', make: () => pngSignature },
  { name: 'half a PNG', reason: 'truncated', make: async () => (await noise(256).png().toBuffer()).subarray(0, 60_000) },
  { name: 'a PNG without its end', reason: 'truncated', make: async () => (await png()).subarray(0, -12) },
  { name: 'a PNG with half of its pixels', reason: 'truncated', make: () => rawPng(300, 300, packedPixels(300, 150)) },
  { name: 'half a JPEG', reason: 'truncated', make: async () => (await noise(256).jpeg().toBuffer()).subarray(0, 20_000) },
  { name: 'a JPEG that ends in its header', reason: 'truncated', make: async () => (await jpeg()).subarray(0, 100) },
  { name: 'half a WebP', reason: 'truncated', make: async () => (await noise(256).webp().toBuffer()).subarray(0, 8000) },
];

const brokenOnes: readonly BadLogo[] = [
  {
    name: 'a PNG with a wrong checksum',
    reason: 'damaged',
    detail: 'the checksum of its IDAT chunk is wrong',
    make: async () => {
      const bytes = await png();
      bytes[bytes.indexOf('IDAT') + 20] = 0x55;
      return bytes;
    },
  },
  {
    name: 'a PNG whose pixels are not packed',
    reason: 'damaged',
    detail: 'its compressed data cannot be unpacked',
    make: () => rawPng(300, 300, Buffer.from('not packed')),
  },
  {
    name: 'a PNG with a filter that does not exist',
    reason: 'damaged',
    detail: damaged,
    make: () => rawPng(300, 300, deflateSync(Buffer.alloc(300 * 901, 9))),
  },
  {
    name: 'a JPEG without the second half of its scan',
    reason: 'damaged',
    detail: damaged,
    make: async () => Buffer.concat([(await noise(256).jpeg().toBuffer()).subarray(0, 20_000), Buffer.from([0, 0xff, 0xd9])]),
  },
  {
    name: 'a JPEG with two pictures',
    reason: 'damaged',
    detail: 'it contains more than one image',
    make: async () => {
      const bytes = await jpeg();
      return Buffer.concat([bytes.subarray(0, -2), bytes.subarray(2)]);
    },
  },
  {
    name: 'a JPEG with 12 bits a colour',
    reason: 'unsupported',
    detail: 'JPEG with more than 8 bits per colour',
    make: async () => {
      const bytes = await jpeg();
      bytes[bytes.indexOf(Buffer.from([0xff, 0xc0])) + 4] = 12;
      return bytes;
    },
  },
  {
    name: 'a WebP without the second half of its picture',
    reason: 'damaged',
    detail: damaged,
    make: async () => {
      const bytes = withRiffLength((await noise(256).webp().toBuffer()).subarray(0, 8000));
      bytes.writeUInt32LE(bytes.length - 20, 16);
      return bytes;
    },
  },
  {
    name: 'a WebP whose header names another size',
    reason: 'damaged',
    detail: 'its header gives a different size',
    make: async () => {
      const bytes = await picture(512, 512, { transparent: true }).webp().toBuffer();
      bytes.writeUIntLE(1023, bytes.indexOf('VP8X') + 12, 3);
      return bytes;
    },
  },
];

const twoFilesInOne: readonly BadLogo[] = [
  {
    name: 'a PNG with a byte behind it',
    reason: 'trailingData',
    detail: '1 byte',
    make: async () => Buffer.concat([await png(), Buffer.from('\n')]),
  },
  {
    name: 'a PNG that is a ZIP archive, too',
    reason: 'trailingData',
    detail: `${zip.length} bytes: a ZIP archive`,
    make: async () => Buffer.concat([await png(), zip]),
  },
  {
    name: 'a PNG with bytes behind its packed pixels',
    reason: 'trailingData',
    detail: `${zip.length} bytes: a ZIP archive`,
    make: () => rawPng(300, 300, Buffer.concat([packedPixels(300, 300), zip])),
  },
  {
    name: 'a PNG with a ZIP archive in a text',
    reason: 'hiddenFile',
    detail: 'A ZIP archive',
    make: async () => withChunks(await png(), chunk('tEXt', Buffer.concat([Buffer.from('a\0'), zip]))),
  },
  {
    name: 'a PNG that is a PDF, too',
    reason: 'hiddenFile',
    detail: 'A PDF document',
    make: async () => withChunks(await png(), chunk('tEXt', 'a\0%PDF-1.7')),
  },
  {
    name: 'a JPEG with an HTML page behind it',
    reason: 'trailingData',
    detail: `${html.length} bytes`,
    make: async () => Buffer.concat([await jpeg(), Buffer.from(html)]),
  },
  {
    name: 'a JPEG with a second picture that is cut off',
    reason: 'truncated',
    make: async () => Buffer.concat([await jpeg(), (await jpeg()).subarray(0, -2)]),
  },
  {
    name: 'a JPEG with an HTML page in the comment of its second picture',
    reason: 'hiddenFile',
    detail: 'An HTML page',
    make: async () => Buffer.concat([await jpeg(), withSegment(await jpeg(), 0xfe, html)]),
  },
  {
    name: 'a JPEG with a ZIP archive behind its second picture',
    reason: 'trailingData',
    detail: `${zip.length} bytes: a ZIP archive`,
    make: async () => Buffer.concat([await jpeg(), await jpeg(), zip]),
  },
  {
    name: 'a JPEG with an HTML page in its comment',
    reason: 'hiddenFile',
    detail: 'An HTML page',
    make: async () => withSegment(await jpeg(), 0xfe, html),
  },
  {
    name: 'a JPEG with an SVG in its comment',
    reason: 'hiddenFile',
    detail: 'An SVG drawing',
    make: async () => withSegment(await jpeg(), 0xfe, svg.replace(/<\/?script>/g, '')),
  },
  {
    name: 'a JPEG with a PHP script in its EXIF',
    reason: 'hiddenFile',
    detail: 'A PHP script',
    make: async () => withSegment(await jpeg(), 0xe1, 'Exif\0\0<?php exit;'),
  },
  {
    name: 'a WebP with a ZIP archive behind it',
    reason: 'trailingData',
    detail: `${zip.length} bytes: a ZIP archive`,
    make: async () => Buffer.concat([await webp(), zip]),
  },
  {
    name: 'a WebP with a ZIP archive in a chunk',
    reason: 'hiddenFile',
    detail: 'A ZIP archive',
    make: async () => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(zip.length);
      return withRiffLength(Buffer.concat([await webp(), Buffer.from('ZIPX'), length, zip]));
    },
  },
];

const bombs: readonly BadLogo[] = [
  { name: 'a PNG that unpacks to 64 MiB', reason: 'bomb', make: () => rawPng(256, 256, deflateSync(Buffer.alloc(64 * 1024 * 1024))) },
  { name: 'a PNG that unpacks to one byte too many', reason: 'bomb', make: () => rawPng(300, 300, packedPixels(300, 300, 1)) },
  {
    name: 'a PNG whose colour profile unpacks to 32 MiB',
    reason: 'bomb',
    make: async () =>
      withChunks(await png(), chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(32 * 1024 * 1024))]))),
  },
  {
    name: 'a PNG with hundreds of colour profiles, each of which unpacks to no more than one may',
    reason: 'damaged',
    detail: 'it has more than one iCCP chunk',
    make: async () => {
      const profile = chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(logoLimits.logoColourProfileBytes))]));
      return withChunks(await png(), ...Array.from({ length: 500 }, () => profile));
    },
  },
  {
    name: 'a JPEG that is refined a hundred times',
    reason: 'bomb',
    make: async () => {
      const bytes = await picture(256).jpeg().toBuffer();
      const scan = bytes.subarray(scanOf(bytes), -2);
      return Buffer.concat([bytes.subarray(0, -2), ...Array.from({ length: 100 }, () => scan), bytes.subarray(-2)]);
    },
  },
];

/** One file for each reason why an upload is refused, except one that is too large, which is refused before it is a file. */
export const badLogos: readonly BadLogo[] = [
  ...otherKinds,
  ...wrongSizes,
  ...animations,
  ...cutShort,
  ...brokenOnes,
  ...twoFilesInOne,
  ...bombs,
];

/** A valid image, one byte larger than allowed. */
export async function oneByteTooLarge(): Promise<Buffer> {
  const small = await sharp(await png())
    .png()
    .toBuffer();
  return withChunks(small, chunk('prVt', Buffer.alloc(logoLimits.logoBytes - small.length - 12 + 1)));
}
