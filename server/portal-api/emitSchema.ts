import { writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { portalSchema } from './portalSchema.ts';

/** The schema as the text of `schema.graphql`. */
export async function printedSchema(): Promise<string> {
  return `${printSchema(lexicographicSortSchema(await portalSchema()))}\n`;
}

if (import.meta.main) await writeFile('schema.graphql', await printedSchema());
