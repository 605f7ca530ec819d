import { limits } from '../domain/shared/limits.ts';

type Costed = { readonly childComplexity: number };

/** The `complexity` of a field in its decorator. */
export type FieldCost = (costed: Costed) => number;

/**
 * The cost of a list without pages. Few of these are long, so it counts as a handful of items, which keeps anybody from asking for
 * thousands of such lists in a page.
 */
export function severalOf({ childComplexity }: Costed): number {
  return 1 + 5 * childComplexity;
}

/** The cost of an integration's earlier submissions: as many as there may be. */
export function earlierSubmissionsOf({ childComplexity }: Costed): number {
  return 1 + limits.earlierSubmissions * childComplexity;
}
