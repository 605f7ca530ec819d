import { logoLimits } from './logoLimits.ts';
import { refuseForeignFile } from './foreignContent.ts';
import type { InspectedImage } from './InspectedImage.ts';
import { inspectJpeg } from './inspectJpeg.ts';
import { inspectPng, pngSignature } from './inspectPng.ts';
import { inspectWebp } from './inspectWebp.ts';
import { LogoRefused } from './logoRefusals.ts';
import type { WorkingTime } from './WorkingTime.ts';

/**
 * Judges an uploaded file by its content, never by a name or media type, before any decoder sees it (docs/specification.md, “Logo”). Throws
 * `LogoRefused` with the rule in words.
 */
export async function inspectImage(bytes: Buffer, time: WorkingTime): Promise<InspectedImage> {
  if (bytes.length === 0) throw new LogoRefused('empty');
  if (bytes.length > logoLimits.logoBytes) throw new LogoRefused('tooManyBytes');
  if (bytes.subarray(0, 8).equals(pngSignature)) return inspectPng(bytes, time);
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff) return inspectJpeg(bytes);
  if (bytes.length >= 12 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return inspectWebp(bytes);
  return refuseForeignFile(bytes);
}
