const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that name no country but that the Unicode tables know. */
const notCountries = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);

/** Whether this is the code of a country, two capital letters (ISO 3166-1 alpha-2). */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !notCountries.has(code) && regionNames.of(code) !== undefined;
}
