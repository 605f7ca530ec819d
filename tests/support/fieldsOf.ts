/** The path of every value in a JSON document, with array positions as `[]`: `upserts[].shipping.events[].at`. */
export function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === '' ? name : `${path}.${name}`));
}
