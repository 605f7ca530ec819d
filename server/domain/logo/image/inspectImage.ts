import { limits } from '../../shared/limits.ts';
import type { LogoFormat } from '../Logo.ts';
import { refuseForeignFile } from './foreignContent.ts';
import { inspectJpeg } from './inspectJpeg.ts';
import { inspectPng, pngSignature } from './inspectPng.ts';
import { inspectWebp } from './inspectWebp.ts';
import { LogoRefused } from './logoRefusals.ts';

/** A file that is one still picture of an accepted format and size; `decodable` is what the decoder is given of it. */
export type InspectedImage = {
  readonly format: LogoFormat;
  /** As the file says, before its orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly decodable: Buffer;
};

/**
 * Judges an uploaded file by its content, never by a name or media type, before any decoder sees it (specification, “Integration
 * profile”). Throws `LogoRefused` with the rule in words.
 */
export async function inspectImage(bytes: Buffer): Promise<InspectedImage> {
  if (bytes.length === 0) throw new LogoRefused('empty');
  if (bytes.length > limits.logoBytes) throw new LogoRefused('tooManyBytes');
  if (bytes.subarray(0, 8).equals(pngSignature)) return inspectPng(bytes);
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff) return inspectJpeg(bytes);
  if (bytes.length >= 12 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return inspectWebp(bytes);
  return refuseForeignFile(bytes);
}
