type Item = string | number | null;

/** Numbers as the text of a PostgreSQL array, which costs much less than the driver’s own conversion. */
export function numbersOf(items: readonly (number | null)[]): string {
  return `{${items.map((item) => item ?? 'NULL').join(',')}}`;
}

/** Texts as the text of a PostgreSQL array. */
export function textsOf(items: readonly Item[]): string {
  return `{${items.map((item) => (item === null ? 'NULL' : quoted(String(item)))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
