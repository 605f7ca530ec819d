import path from 'node:path';
import type { Plugin } from 'vite';
import { changesOf } from './changes.ts';
import { htmlOf } from './html.ts';
import { type Documentation, readDocumentation } from './readDocumentation.ts';
import { searchIndexOf } from './searchIndex.ts';

/** The file for the portal with every page of the documentation as Markdown and as HTML, and the changes. It is never served. */
const documentsFile = 'documents.json';

/**
 * Makes the documentation while the pages are built. The pages ask for it in the queries of one file, `openapi.yaml`: `?index` is the list of
 * operations and events, `?reference` loads each page of the reference by itself, `?problems` are the pages of
 * problems, `?search` is the index of the search, and `?record` an order as a sync brings it.
 */
export function documentation(root: string): Plugin {
  const contract = path.join(root, 'rest-api/contract/openapi.yaml');
  let made: Promise<Documentation> | undefined;
  return {
    name: 'documentation',
    buildStart() {
      made = undefined;
    },
    async load(id) {
      const [file, query = ''] = id.split('?');
      if (file !== contract) return null;
      const documents = await (made ??= readDocumentation(root));
      const asked = new URLSearchParams(query);
      if (asked.has('index')) return constant(documents.index);
      if (asked.has('problems')) return constant(documents.problems);
      if (asked.has('record')) return constant(recordOf(documents));
      if (asked.has('search')) return constant(searchIndexOf(documents));
      const name = asked.get('page');
      if (name !== null) return constant(documents.reference[name]);
      if (!asked.has('reference')) return null;
      const loaders = Object.keys(documents.reference).map(
        (each) => `${JSON.stringify(each)}: () => import(${JSON.stringify(`${contract}?page=${each}`)})`,
      );
      return `export default { ${loaders.join(', ')} };`;
    },
    async generateBundle() {
      const { pages } = await (made ??= readDocumentation(root));
      const changelog = pages.find((page) => page.path === '/docs/changelog')?.markdown ?? '';
      const documents = { pages: pages.map((page) => ({ ...page, html: htmlOf(page.markdown) })), changes: changesOf(changelog) };
      this.emitFile({ type: 'asset', fileName: documentsFile, source: JSON.stringify(documents) });
    },
  };
}

/** The first record of the example that the contract has for a sync. */
function recordOf({ operations }: Documentation): unknown {
  const answer = operations.find(({ name }) => name === 'getSync')?.answers.find(({ status }) => status === '200');
  const { upserts } = JSON.parse(answer?.content?.example ?? '{}') as { readonly upserts: readonly unknown[] };
  return upserts[0];
}

/** A module with this value. Text is parsed faster as JSON than as a script. */
function constant(value: unknown): string {
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
}
