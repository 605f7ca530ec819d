import MiniSearch from 'minisearch';
import { indexOptions, misspelled, searchOptions, type SearchEntry } from './searchOptions.ts';

export type SearchHit = Pick<SearchEntry, 'page' | 'title' | 'path'>;

/** The index that was made at build time, ready to be asked. */
export function readSearchIndex(index: object): MiniSearch<SearchEntry> {
  return MiniSearch.loadJS(index as Parameters<typeof MiniSearch.loadJS>[0], indexOptions);
}

/** The places that fit best, best first: those that have every word, else every word perhaps misspelled, else some of the words. */
export function searchDocumentation(index: MiniSearch<SearchEntry>, text: string, most = 8): SearchHit[] {
  const ways = [
    { ...searchOptions, combineWith: 'AND' as const },
    { ...misspelled, combineWith: 'AND' as const },
    { ...misspelled, combineWith: 'OR' as const },
  ];
  for (const way of ways) {
    const found = index.search(text, way);
    if (found.length > 0) return found.slice(0, most).map(({ page, title, path }) => ({ page, title, path }));
  }
  return [];
}
