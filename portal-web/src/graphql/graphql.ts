import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './introspection.d.ts';

/** A value that the schema does not look into: the JSON of WebAuthn Level 3. */
export type Json = { [key: string]: unknown };

/**
 * Makes a typed document from the text of an operation. Types come from `schema.graphql` at the root of the repository;
 * `npm run schema` brings both up to date.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTimeISO: string; JSON: Json };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
