import { logoLimits } from './logoLimits.ts';
import { LogoRefused } from './logoRefusals.ts';
import { numberWords } from '../../shared/text/numberWords.ts';

/** Refuses a file with more chunks or segments than images have. Called for each one, because reading through too many takes long. */
export function refuseManyParts(parts: number): void {
  if (parts > logoLimits.logoParts) throw new LogoRefused('unsupported', `more than ${numberWords(logoLimits.logoParts)} parts`);
}
