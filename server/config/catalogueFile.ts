import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Catalogue, CatalogueField } from '../domain/tracking/catalogueTexts.ts';

const values = z
  .array(z.string().min(1))
  .min(1, 'must have at least one value')
  .transform((texts) => new Set(texts))
  .optional();
const fields = { model: values, trim: values, exterior: values, interior: values, option_codes: values, vessel: values, voyage: values };
const file = z.strictObject(fields satisfies Record<CatalogueField, typeof values>);

/** The values that an installation's catalogue knows, from a file of JSON. Throws with words that name no value. */
export function readCatalogueFile(path: string): Catalogue {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error('the file cannot be read as JSON');
  }
  const parsed = file.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `the file: ${issue?.path.join('.') || 'its top level'} ${issue?.code === 'unrecognized_keys' ? 'has an unknown field' : 'must be a list of texts'}`,
  );
}
