import { limits } from '../domain/shared/limits.ts';

type Costed = { readonly childComplexity: number };

/** The `complexity` of a field in its decorator. */
export type FieldCost = (costed: Costed) => number;

/** What a list without pages costs, of which few are long: a handful of items, so that nobody asks for thousands of them in a page. */
export function severalOf({ childComplexity }: Costed): number {
  return 1 + 5 * childComplexity;
}

/** What the earlier submissions of an integration cost: as many as there may be. */
export function earlierSubmissionsOf({ childComplexity }: Costed): number {
  return 1 + limits.earlierSubmissions * childComplexity;
}
