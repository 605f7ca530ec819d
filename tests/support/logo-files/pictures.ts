import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { pngChunks, pngSignature } from '../../../server/domain/logo/image/inspectPng.ts';

/** The left half is red, the right half blue; with `transparent`, the right half cannot be seen. */
export function picture(width = 512, height = width, { transparent = false } = {}): Sharp {
  const half = Math.ceil(width / 2);
  const [left, right] = [Buffer.from([220, 20, 20, 255]), Buffer.from([20, 20, 220, transparent ? 0 : 255])];
  const row = Buffer.concat([Buffer.alloc(half * 4, left), Buffer.alloc((width - half) * 4, right)]);
  const pixels = Buffer.alloc(width * height * 4, row);
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  return transparent ? image : image.removeAlpha();
}

/** Pixels that hardly compress and are always the same. */
export function noise(width: number, height = width): Sharp {
  let state = 1;
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    pixels[at] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Where an image was taken, and by whom. */
export const exif = () => ({
  IFD0: { Artist: 'Secret Person' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '0/1 7/1 0/1' },
});

/** A PNG chunk with its checksum. */
export function chunk(type: string, data: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The PNG with further chunks after its header. */
export function withChunks(png: Buffer, ...more: Buffer[]): Buffer {
  const [header, ...rest] = pngChunks(png).chunks.map(({ whole }) => whole);
  return Buffer.concat([pngSignature, header as Buffer, ...more, ...rest]);
}

/** A PNG of 8-bit colours with this header and these compressed pixels. */
export function rawPng(width: number, height: number, packed: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([pngSignature, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', '')]);
}

/** The compressed data of an image of this size, with `more` bytes too many. */
export const packedPixels = (width: number, height: number, more = 0): Buffer => deflateSync(Buffer.alloc(height * (1 + width * 3) + more));

/** A JPEG with another segment after its beginning. */
export function withSegment(jpeg: Buffer, marker: number, data: Buffer | string): Buffer {
  const body = Buffer.from(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** Where the first scan of a JPEG begins. */
export const scanOf = (jpeg: Buffer): number => jpeg.indexOf(Buffer.from([0xff, 0xda]));

/** The WebP with another length written into it. */
export function withRiffLength(webp: Buffer, length = webp.length - 8): Buffer {
  const copy = Buffer.from(webp);
  copy.writeUInt32LE(length, 4);
  return copy;
}

/** Two frames of an animation. */
export function frames(): Promise<Sharp> {
  return Promise.all([picture(256).png().toBuffer(), picture(256, 256).negate().png().toBuffer()]).then((each) =>
    sharp(each, { join: { animated: true } }),
  );
}

/** The smallest ZIP archive that contains the beginning of a file. */
export const zip = Buffer.concat([
  Buffer.from('PK\x03\x04\x14\x00\x00\x00\x00\x00', 'latin1'),
  Buffer.alloc(20),
  Buffer.from('PK\x05\x06', 'latin1'),
  Buffer.alloc(18),
]);
