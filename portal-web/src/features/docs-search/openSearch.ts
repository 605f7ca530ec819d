import type { SearchHit } from './searchDocumentation.ts';

/** The build answers this query with the index (portal-web/documentation/vitePlugin.ts), as a file of its own. */
const indexes = import.meta.glob<object>('../../../../rest-api/contract/openapi.yaml', { query: '?search', import: 'default' });

let opened: Promise<(text: string) => SearchHit[]> | undefined;

/** Loads the search and its index, once. */
export function openSearch(): Promise<(text: string) => SearchHit[]> {
  opened ??= load().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function load() {
  const [index, { readSearchIndex, searchDocumentation }] = await Promise.all([
    Object.values(indexes)[0]?.() ?? {},
    import('./searchDocumentation.ts'),
  ]);
  const search = readSearchIndex(index);
  return (text: string) => searchDocumentation(search, text);
}
