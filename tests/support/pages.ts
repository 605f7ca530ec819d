import type { Page } from '../../server/domain/shared/page.ts';

/** What stands on a page of a list. */
export function itemsOf<Item>({ edges }: Page<Item>): Item[] {
  return edges.map(({ node }) => node);
}
