import type { Page } from '../../../server/domain/shared/lists/page.ts';

/** The items on a page of a list. */
export function itemsOf<Item>({ edges }: Page<Item>): Item[] {
  return edges.map(({ node }) => node);
}

/** A list as the portal's API returns it. */
export type Connection<Node> = {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};
