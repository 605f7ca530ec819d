/** The fields whose values come from a catalogue, in their order; the last two are those of a shipping section. */
const catalogueFields = ['model', 'trim', 'exterior', 'interior', 'option_codes', 'vessel', 'voyage'] as const;
export type CatalogueField = (typeof catalogueFields)[number];

/** The values of one of these fields, none if it is absent. */
export function valuesOf(data: Readonly<Record<string, unknown>>, field: CatalogueField): readonly string[] {
  const holder = field === 'vessel' || field === 'voyage' ? data['shipping'] : data;
  if (typeof holder !== 'object' || holder === null) return [];
  const value: unknown = (holder as Readonly<Record<string, unknown>>)[field];
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

/** All of them, in order. */
export function catalogueTexts(data: Readonly<Record<string, unknown>>): readonly string[] {
  return catalogueFields.flatMap((field) => valuesOf(data, field));
}

/** The only values that these fields may have, where an installation names them; a field that is absent may have any value that fits its rule. */
export type Catalogue = { readonly [Field in CatalogueField]?: ReadonlySet<string> | undefined };

/** The fields whose value is not in the catalogue, by their paths. */
export function outsideCatalogue(data: Readonly<Record<string, unknown>>, catalogue: Catalogue): string[] {
  return catalogueFields.flatMap((field) => {
    const known = catalogue[field];
    if (!known || valuesOf(data, field).every((value) => known.has(value))) return [];
    return [field === 'vessel' || field === 'voyage' ? `shipping.${field}` : field];
  });
}
