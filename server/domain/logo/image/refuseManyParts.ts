import { limits } from '../../shared/limits.ts';
import { LogoRefused } from './logoRefusals.ts';

/** Refuses a file of more chunks or segments than pictures have; asked with each, because to look through so many takes long. */
export function refuseManyParts(parts: number): void {
  if (parts > limits.logoParts) throw new LogoRefused('unsupported', `more than ${limits.logoParts.toLocaleString('en')} parts`);
}
