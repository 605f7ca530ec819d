import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import postcssPresetMantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';
import { readDocumentation } from './documentation/readDocumentation.ts';
import { documentation } from './documentation/vitePlugin.ts';
import { pagePatterns, pages } from './src/paths.ts';

/** The address at which `npm start` serves the portal. Vite's development server forwards everything except the pages to it. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000';

/** Writes a .br and a .gz file for each script and style sheet. The portal sends them as they are. */
const compressed: Plugin = {
  name: 'compressed',
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file));
    await Promise.all(
      files.map(async (file) => {
        const bytes = await readFile(path.join(dir, file));
        await writeFile(path.join(dir, `${file}.br`), await promisify(brotliCompress)(bytes));
        await writeFile(path.join(dir, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
      }),
    );
  },
};

/**
 * What a reader opens next. Chromium compiles it while it is loaded, in the background, and not when it has to be drawn. Of the tabs only the
 * slowest: each mark costs bytes of the 425 kB that the application may have.
 */
const openedNext = /^(?:shared|lists|IntegrationRequestsPage)$/;
const compiledEarly: Plugin = {
  name: 'compiled-early',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && openedNext.test(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    }
  },
};

const root = path.join(import.meta.dirname, '..');
const versionIn = (manifest: string) => (JSON.parse(readFileSync(path.join(root, manifest), 'utf8')) as { version: string }).version;

/** Writes the addresses of the pages for the portal. An address in the documentation that names none of its pages is not a page. */
const listed: Plugin = {
  name: 'listed',
  async generateBundle() {
    const documents = (await readDocumentation(root)).pages.map((page) => page.path);
    const others = pagePatterns.filter((pattern) => !/^\/(docs|problems)(\/|$)/.test(pattern));
    this.emitFile({
      type: 'asset',
      fileName: 'page-patterns.json',
      source: JSON.stringify({ pages: [...others, ...documents], terms: pages.terms }),
    });
  },
};

/**
 * What the Markdown library always brings, and what the pages have instead. Addresses are neither found in plain text nor rewritten; browsers
 * know Unicode's categories; of the two thousand named characters, those that people write remain, and others stay as they are written.
 */
const markdownParts: Readonly<Record<string, string>> = {
  'linkify-it': 'export class LinkifyIt {}',
  mdurl: 'const same = (address) => address; export { same as parse, same as format, same as encode, same as decode };',
  'punycode.js': 'export default {}',
  'uc.micro': String.raw`export const P = /\p{P}/u; export const S = /\p{S}/u; export const Z = /\p{Z}/u;`,
  entities: `const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\\u00a0', copy: '©', reg: '®', trade: '™', sect: '§', para: '¶', euro: '€', ndash: '–', mdash: '—', hellip: '…', deg: '°' };
    export const decodeHTMLStrict = (text) => (Object.hasOwn(named, text.slice(1, -1)) ? named[text.slice(1, -1)] : text);`,
};
const lightMarkdown: Plugin = {
  name: 'light-markdown',
  enforce: 'pre',
  resolveId: (id) => (Object.hasOwn(markdownParts, id) ? `\0${id}` : null),
  load: (id) => markdownParts[id.slice(1)] ?? null,
};

/** GraphQL documents are written to be read. The scripts have them without the spaces that nothing needs: 3 kB of what is served. */
const shortDocuments: Plugin = {
  name: 'short-documents',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/portal-web/src/')
      ? { code: code.replaceAll(/(?<=\bgraphql\(\s*`)[^`]*/g, (document) => shortened(document)), map: null }
      : null,
};

function shortened(document: string): string {
  return document
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{}():,]) ?/g, '$1');
}

/** What few pages need, and what would make the file that pages share much longer. */
const seldomUsed = /node_modules[\\/](?:uplot|markdown-it)[\\/]|portal-web[\\/]src[\\/]features[\\/](?:docs|docs-search|reference)[\\/]/;

type Modules = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null };

/** Whether a module is one of these, or imports one by way of others. */
function needsSeldomUsed(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (seldomUsed.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return modules.getModuleInfo(id)?.importedIds.some((imported) => needsSeldomUsed(imported, modules, seen)) ?? false;
}

export default defineConfig({
  define: {
    'import.meta.env.VITE_VERSION': JSON.stringify(versionIn('package.json')),
    'import.meta.env.VITE_KIT_VERSION': JSON.stringify(versionIn('kit/package.json')),
  },
  plugins: [lightMarkdown, shortDocuments, react(), documentation(root), compiledEarly, compressed, listed],
  css: { postcss: { plugins: [postcssPresetMantine()] } },
  build: {
    outDir: '../dist/portal-web',
    emptyOutDir: true,
    target: 'es2023',
    // Browsers that need the polyfill do not support passkeys either.
    modulePreload: { polyfill: false },
    // A data: URL would need its own entry in the content security policy.
    assetsInlineLimit: 0,
    // What every page needs is one file, and so is what several pages share: many small files compress worse, and each is a request. The
    // page to sign in or to register loads nothing of what is shared by the pages behind the session.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 1 },
            { name: 'icons', test: /node_modules[\\/]@tabler/ },
            { name: 'lists', test: /src[\\/]ui[\\/]lists/ },
            {
              name: 'door',
              test: /src[\\/](?:ui[\\/]layout[\\/]NarrowPage|features[\\/]passkey[\\/]ceremonies)\.tsx?$|node_modules[\\/]@simplewebauthn/,
            },
            { debugName: 'shared', name: (id, modules) => (needsSeldomUsed(id, modules) ? null : 'shared'), minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    // The guides and the descriptions of the interfaces are outside the pages' folder, where people also read them.
    fs: { allow: ['.', '../docs/guides', '../rest-api/contract', '../node_modules'] },
    proxy: {
      '^/(kit/|receivers/|logos/|integrations/[^/]+/logo$|app$|graphql|dev|certificates|openapi|healthz)': {
        target: portal,
        headers: { origin: portal },
      },
    },
  },
});
