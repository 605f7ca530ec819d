import { logoLimits } from './logoLimits.ts';
import { refuseHiddenFile, refuseTrailingData } from './foreignContent.ts';
import type { InspectedImage } from './InspectedImage.ts';
import { LogoRefused } from './logoRefusals.ts';
import { refuseManyParts } from './refuseManyParts.ts';
import { refuseSides } from './refuseSides.ts';

const startOfScan = 0xda;
const endOfImage = 0xd9;

/**
 * Reads a JPEG marker by marker: it must be one complete image of the right size. Further pictures after it (a gain map, another exposure or a
 * preview, as cameras write them: CIPA DC-007) are dropped like metadata; nothing else may follow.
 */
export function inspectJpeg(bytes: Buffer): InspectedImage {
  const parts = { count: 0 };
  const { size, end } = pictureAt(bytes, 0, parts, sizeOf);
  let rest = end;
  for (let next = nextPicture(bytes, rest); next !== -1; next = nextPicture(bytes, rest)) {
    rest = pictureAt(bytes, next, parts, () => true).end;
  }
  refuseTrailingData(bytes.subarray(rest));
  return { format: 'jpeg', ...size, decodable: bytes.subarray(0, end) };
}

/** Where the next picture begins if nothing but zeros stands before it, or -1. */
function nextPicture(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0) at += 1;
  return at + 3 <= bytes.length && bytes.readUIntBE(at, 3) === 0xffd8ff ? at : -1;
}

/** Reads the picture at `start` to its end; `frame` reads the header of its frame. `parts` counts the segments of all pictures. */
function pictureAt<Size>(
  bytes: Buffer,
  start: number,
  parts: { count: number },
  frame: (marker: number, segment: Buffer) => Size,
): { readonly size: Size; readonly end: number } {
  let size: Size | undefined;
  let scans = 0;
  let at = start + 2;
  for (;;) {
    const { marker, next } = markerAt(bytes, at);
    if (marker === endOfImage) {
      if (size === undefined || scans === 0) throw new LogoRefused('damaged', 'it contains no image');
      return { size, end: next };
    }
    refuseManyParts((parts.count += 1));
    const segment = segmentAt(bytes, next);
    at = next + 2 + segment.length;
    if (isFrame(marker)) {
      if (size !== undefined) throw new LogoRefused('damaged', 'it contains more than one image');
      size = frame(marker, segment);
    } else if (marker === startOfScan) {
      scans += 1;
      // Each scan of a progressive image costs a pass over all of it; ten scans are usual.
      if (scans > logoLimits.logoScans) throw new LogoRefused('bomb');
      at = endOfScan(bytes, at);
    } else if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) refuseHiddenFile(segment);
  }
}

function markerAt(bytes: Buffer, from: number): { marker: number; next: number } {
  if (from >= bytes.length) throw new LogoRefused('truncated');
  if (bytes[from] !== 0xff) throw new LogoRefused('damaged', 'there is unexpected data between its segments');
  let at = from + 1;
  // Any number of 0xff may stand before a marker.
  while (bytes[at] === 0xff) at += 1;
  const marker = bytes[at];
  if (marker === undefined) throw new LogoRefused('truncated');
  if (marker === 0 || marker === 0xd8) throw new LogoRefused('damaged', 'one of its segments has no valid marker');
  return { marker, next: at + 1 };
}

/** The data after the length at `at`. Restart markers and TEM have no length, but none of them belongs here. */
function segmentAt(bytes: Buffer, at: number): Buffer {
  if (at + 2 > bytes.length) throw new LogoRefused('truncated');
  const length = bytes.readUInt16BE(at);
  if (length < 2) throw new LogoRefused('damaged', 'one of its segments has no length');
  if (at + length > bytes.length) throw new LogoRefused('truncated');
  return bytes.subarray(at + 2, at + length);
}

/** Where the marker after a scan's compressed data begins; within the data, 0xff is always followed by 0 or makes a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const after = bytes[at + 1];
    if (after === undefined) break;
    if (after !== 0 && after !== 0xff && !(after >= 0xd0 && after <= 0xd7)) return at;
  }
  throw new LogoRefused('truncated');
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function sizeOf(marker: number, segment: Buffer): { width: number; height: number } {
  if (marker > 0xc2) throw new LogoRefused('unsupported', 'a rare variant of JPEG');
  if (segment.length < 6) throw new LogoRefused('damaged', 'its header is too short');
  if (segment.readUInt8(0) !== 8) throw new LogoRefused('unsupported', 'JPEG with more than 8 bits per colour');
  const size = { width: segment.readUInt16BE(3), height: segment.readUInt16BE(1) };
  refuseSides(size.width, size.height);
  return size;
}
