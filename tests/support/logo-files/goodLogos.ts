import { deflateSync } from 'node:zlib';
import { logoLimits } from '../../../server/domain/logo/image/logoLimits.ts';
import { chunk, exif, noise, picture, withChunks, withSegment } from './pictures.ts';

/** A file that must be accepted, and the size at which it is then shown. */
export type GoodLogo = {
  readonly name: string;
  readonly size?: readonly [width: number, height: number];
  readonly make: () => Promise<Buffer>;
};

const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>Secret Person</rdf:RDF></x:xmpmeta>';

/** One file for each kind of image that is accepted. */
export const goodLogos: readonly GoodLogo[] = [
  { name: 'a PNG', make: () => picture().png().toBuffer() },
  {
    name: 'a transparent PNG of the smallest size',
    size: [256, 256],
    make: () => picture(256, 256, { transparent: true }).png().toBuffer(),
  },
  { name: 'a PNG of the largest size', size: [2048, 2048], make: () => picture(2048).png().toBuffer() },
  { name: 'a very wide PNG', size: [2048, 256], make: () => picture(2048, 256).png().toBuffer() },
  { name: 'a very high WebP', size: [256, 2048], make: () => picture(256, 2048).webp().toBuffer() },
  { name: 'a grey PNG', make: () => picture().greyscale().png().toBuffer() },
  { name: 'a PNG with a palette', make: () => picture().png({ palette: true }).toBuffer() },
  { name: 'a PNG with 16 bits a colour', make: () => picture().toColourspace('rgb16').png().toBuffer() },
  { name: 'an interlaced PNG', size: [511, 301], make: () => picture(511, 301).png({ progressive: true }).toBuffer() },
  { name: 'a PNG with a colour profile', make: () => picture().withIccProfile('p3').png().toBuffer() },
  { name: 'a PNG with EXIF and GPS', make: () => picture().withExif(exif()).png().toBuffer() },
  {
    name: 'a PNG with texts, a time and a thumbnail',
    make: async () =>
      withChunks(
        await picture().png().toBuffer(),
        chunk('tEXt', 'Author\0Secret Person'),
        chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync('Secret Person')])),
        chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${xmp}`),
        chunk('tIME', Buffer.from([7, 0xea, 11, 21, 8, 0, 0])),
        chunk('prVw', await picture(64).png().toBuffer()),
      ),
  },
  {
    name: 'a PNG of exactly 2 MiB',
    make: async () => {
      const png = await picture().png().toBuffer();
      return withChunks(png, chunk('prVt', Buffer.alloc(logoLimits.logoBytes - png.length - 12)));
    },
  },
  { name: 'a JPEG', make: () => picture().jpeg().toBuffer() },
  { name: 'a JPEG that hardly compresses', size: [900, 900], make: () => noise(900).jpeg({ quality: 95 }).toBuffer() },
  { name: 'a progressive JPEG', make: () => picture().jpeg({ progressive: true }).toBuffer() },
  { name: 'a JPEG by mozjpeg', make: () => picture().jpeg({ mozjpeg: true }).toBuffer() },
  { name: 'a grey JPEG', make: () => picture().greyscale().jpeg().toBuffer() },
  { name: 'a CMYK JPEG', make: () => picture().toColourspace('cmyk').jpeg().toBuffer() },
  {
    name: 'a JPEG with a gain map and a large preview behind it, as cameras write them',
    make: async () => {
      const more = [
        await picture(64).greyscale().jpeg().toBuffer(),
        Buffer.alloc(5),
        await picture(100, 4000).jpeg({ progressive: true }).toBuffer(),
      ];
      return Buffer.concat([await picture().jpeg().toBuffer(), ...more]);
    },
  },
  { name: 'a JPEG with EXIF and GPS', make: () => picture().withExif(exif()).jpeg().toBuffer() },
  {
    name: 'a JPEG that was taken lying on its side',
    size: [300, 600],
    make: () => picture(600, 300).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(),
  },
  {
    name: 'a JPEG with a comment and XMP',
    make: async () =>
      withSegment(withSegment(await picture().jpeg().toBuffer(), 0xfe, 'Secret Person'), 0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`),
  },
  { name: 'a WebP', make: () => picture().webp().toBuffer() },
  { name: 'a lossless WebP', make: () => picture().webp({ lossless: true }).toBuffer() },
  { name: 'a transparent WebP', make: () => picture(512, 512, { transparent: true }).webp().toBuffer() },
  { name: 'a WebP with EXIF, GPS and a colour profile', make: () => picture().withExif(exif()).withIccProfile('p3').webp().toBuffer() },
];
