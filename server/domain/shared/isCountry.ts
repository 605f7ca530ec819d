import { iso31661 } from 'iso-3166';

const assigned: ReadonlySet<string> = new Set(iso31661.filter(({ state }) => state === 'assigned').map(({ alpha2 }) => alpha2));

/** Whether this is the code of a country: two capital letters that ISO 3166-1 assigns now. Former and reserved codes do not count. */
export function isCountry(code: string): boolean {
  return assigned.has(code);
}
