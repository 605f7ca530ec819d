import { LogoRefused } from './logoRefusals.ts';
import { numberWords } from '../../shared/text/numberWords.ts';

const text = (needle: string) => Buffer.from(needle, 'latin1');

/** How files of other kinds begin; the offset is 0 unless it is given. */
const beginnings: readonly (readonly [start: Buffer, kind: string, offset?: number])[] = [
  [text('GIF8'), 'a GIF'],
  [text('BM'), 'a BMP image'],
  [text('II*\0'), 'a TIFF image'],
  [text('MM\0*'), 'a TIFF image'],
  [text('\0\0\x01\0'), 'an icon file (ICO)'],
  [text('ftyp'), 'a HEIC, AVIF or video file', 4],
  [text('\xff\x0a'), 'a JPEG XL image'],
  [text('JXL '), 'a JPEG XL image', 4],
  [text('\0\0\0\x0cjP'), 'a JPEG 2000 image'],
  [text('8BPS'), 'a Photoshop file'],
  [text('%PDF-'), 'a PDF document'],
  [text('PK\x03\x04'), 'a ZIP archive'],
  [text('\x1f\x8b'), 'a gzip archive'],
];

/** Refuses a file that begins like none of the three formats, and says what it is. */
export function refuseForeignFile(bytes: Buffer): never {
  // SVG and HTML are text, perhaps in UTF-16 or after white space and comments.
  const head = bytes.subarray(0, 8192).toString('latin1').replaceAll('\0', '').toLowerCase();
  if (/<svg[\s>]/.test(head) || head.includes('<!doctype svg')) throw new LogoRefused('svg');
  const [, kind] = beginnings.find(([start, , offset = 0]) => bytes.subarray(offset, offset + start.length).equals(start)) ?? [];
  if (kind) throw new LogoRefused('otherFormat', kind);
  if (/<(!doctype html|html|script|body)/.test(head)) throw new LogoRefused('otherFormat', 'an HTML page');
  throw new LogoRefused('otherFormat', 'not an image in any known format');
}

/** What other programs would take for a file of their own kind, wherever in the image it is. */
const hidden: readonly (readonly [needle: Buffer, kind: string])[] = [
  [text('PK\x03\x04'), 'A ZIP archive'],
  [text('PK\x05\x06'), 'A ZIP archive'],
  [text('Rar!\x1a\x07'), 'A RAR archive'],
  [text('7z\xbc\xaf\x27\x1c'), 'A 7z archive'],
  [text('%PDF-'), 'A PDF document'],
  [text('<?php'), 'A PHP script'],
];

/** Refuses metadata that holds a file of another kind: such an image is two files in one. */
export function refuseHiddenFile(metadata: Buffer): void {
  const [, kind] = hidden.find(([needle]) => metadata.includes(needle)) ?? [];
  if (kind) throw new LogoRefused('hiddenFile', kind);
  const words = metadata.toString('latin1').replaceAll('\0', '').toLowerCase();
  if (/<(!doctype html|html|script|body)[\s>]/.test(words)) throw new LogoRefused('hiddenFile', 'An HTML page');
  if (/<svg[\s>]/.test(words)) throw new LogoRefused('hiddenFile', 'An SVG drawing');
}

/** Refuses anything after the end of an image. */
export function refuseTrailingData(rest: Buffer): void {
  if (rest.length === 0) return;
  const [, kind] = hidden.find(([needle]) => rest.includes(needle)) ?? [];
  const bytes = rest.length === 1 ? '1 byte' : `${numberWords(rest.length)} bytes`;
  throw new LogoRefused('trailingData', kind ? `${bytes}: ${kind.replace(/^A/, 'a')}` : bytes);
}
