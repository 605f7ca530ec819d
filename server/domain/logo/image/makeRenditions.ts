import sharp, { type Sharp } from 'sharp';
import { DomainError } from '../../shared/DomainError.ts';
import { logoLimits } from './logoLimits.ts';
import { renditionSizes, type RenditionSize } from './formats.ts';
import type { InspectedImage } from './InspectedImage.ts';
import { pngChunks, pngSignature } from './inspectPng.ts';
import { LogoRefused } from './logoRefusals.ts';
import type { WorkingTime } from './WorkingTime.ts';

// Of libvips's many loaders, only those for the three formats may be chosen, whatever a file looks like.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] });
sharp.cache(false);
sharp.concurrency(1);

type Renditions = {
  /** As the image is seen, with its orientation applied. */
  readonly width: number;
  readonly height: number;
  readonly pictures: Readonly<Record<RenditionSize, Buffer>>;
};

/**
 * The square renditions of an inspected image, as PNG, which every program shows and which keeps transparency. The orientation is applied,
 * colours become sRGB, an image that is not square is centred on a transparent background, and nothing of the file remains but its pixels.
 * The same file always gives the same bytes. `time` is asked before each of them. Throws `LogoRefused` for whatever the decoder rejects.
 */
export async function makeRenditions({ decodable, format, width, height }: InspectedImage, time: WorkingTime): Promise<Renditions> {
  try {
    const image = sharp(decodable, {
      limitInputPixels: logoLimits.logoSideMax ** 2,
      failOn: 'warning',
      animated: false,
      sequentialRead: true,
    });
    const read = await image.metadata();
    if (read.format !== format || read.width !== width || read.height !== height)
      throw new LogoRefused('damaged', 'its content does not match its format');
    const pictures = {} as Record<RenditionSize, Buffer>;
    for (const size of renditionSizes) pictures[size] = await rendition(image.clone(), size, time);
    const lying = (read.orientation ?? 1) >= 5;
    return { width: lying ? height : width, height: lying ? width : height, pictures };
  } catch (error) {
    if (error instanceof LogoRefused || error instanceof DomainError) throw error;
    const words = error instanceof Error ? error.message : '';
    throw /timeout/i.test(words) ? new LogoRefused('tooSlow') : new LogoRefused('damaged', 'its image cannot be decoded completely');
  }
}

async function rendition(image: Sharp, size: RenditionSize, time: WorkingTime): Promise<Buffer> {
  time.check();
  const png = await image
    .timeout({ seconds: time.secondsLeft })
    .autoOrient()
    .toColourspace('srgb')
    .resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  // The encoder adds a chunk with the resolution, which is dropped here.
  const pixels = pngChunks(png).chunks.filter(({ type }) => ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type));
  return Buffer.concat([pngSignature, ...pixels.map(({ whole }) => whole)]);
}
