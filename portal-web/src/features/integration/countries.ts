import { iso31661 } from 'iso-3166';

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The English name of a country by its two-letter code. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}

/** All countries to which ISO 3166-1 assigns a code, sorted by name. The service accepts the same ones. */
export const countries: readonly { value: string; label: string }[] = iso31661
  .filter(({ state }) => state === 'assigned')
  .map(({ alpha2: value }) => ({ value, label: countryName(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));
