import { reviewLimits } from '../domain/review/reviewLimits.ts';

/** `childComplexity` is what the fields of one item cost, or, with an argument `first`, those of as many items as it allows. */
type Costed = { readonly childComplexity: number };

/** What a field at the root of a query costs beside what is asked of it. */
export const rootQueryCost = 150;

/** The cost of a text of tens of thousands of characters: a few hundred bytes must not ask for more than two of them. */
export function longText(): number {
  return 1_000;
}

/** The `complexity` of a field in its decorator. */
export type FieldCost = (costed: Costed) => number;

/**
 * The cost of a list without pages. Few of these are long, so it counts as a handful of items, which keeps anybody from asking for
 * thousands of such lists in a page.
 */
export function severalOf({ childComplexity }: Costed): number {
  return 1 + 5 * childComplexity;
}

/**
 * The cost of a list that is a statement of its own for each object that it is asked of, however few of its items are wanted. It weighs as
 * much as a query at the root.
 */
export function statementOf({ childComplexity }: Costed): number {
  return rootQueryCost + childComplexity;
}

/** The cost of an integration's earlier submissions: as many as there may be. */
export function earlierSubmissionsOf({ childComplexity }: Costed): number {
  return 1 + reviewLimits.earlierSubmissions * childComplexity;
}
