import type { PageHit } from './searchDocumentation.ts';

/** The search over the documentation: what fits a text best, and what is nearest to it. */
export type DocumentationSearch = { readonly search: (text: string) => PageHit[]; readonly near: (text: string) => PageHit[] };

/** The build answers this query with the index (portal-web/documentation/vitePlugin.ts), as a file of its own. */
const indexes = import.meta.glob<object>('../../../../rest-api/contract/openapi.yaml', { query: '?search', import: 'default' });

let opened: Promise<DocumentationSearch> | undefined;

/** Loads the search and its index, once. */
export function openSearch(): Promise<DocumentationSearch> {
  opened ??= load().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function load(): Promise<DocumentationSearch> {
  const [written, { readSearchIndex, searchDocumentation, nearTo }] = await Promise.all([
    Object.values(indexes)[0]?.() ?? {},
    import('./searchDocumentation.ts'),
  ]);
  const index = readSearchIndex(written);
  return { search: (text) => searchDocumentation(index, text, 6), near: (text) => nearTo(index, text) };
}
