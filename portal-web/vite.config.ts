import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import postcssPresetMantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';
import { guides } from './src/features/docs/guides.ts';
import { pagePatterns } from './src/pagePatterns.ts';

/** Where `npm start` serves the portal; the development server of Vite passes everything but the pages on to it. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000';

/** Leaves a .br and a .gz beside each script and style sheet, once: the portal sends them as they are. */
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

/** Every guide by its name: an address under the documentation that names none of them is no page. */
const pages = pagePatterns.flatMap((pattern) => (pattern === '/docs/:guide' ? guides.map(({ name }) => `/docs/${name}`) : [pattern]));

/** Tells the portal which addresses are pages. */
const listed: Plugin = {
  name: 'listed',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'page-patterns.json', source: JSON.stringify(pages) });
  },
};

export default defineConfig({
  plugins: [react(), compressed, listed],
  css: { postcss: { plugins: [postcssPresetMantine()] } },
  build: {
    outDir: '../dist/portal-web',
    emptyOutDir: true,
    target: 'es2023',
    // The polyfill would only serve browsers that cannot make passkeys either.
    modulePreload: { polyfill: false },
    // A data: URL would need its own entry in the content security policy.
    assetsInlineLimit: 0,
  },
  server: {
    // The guides lie beside the pages' folder, where other readers look for them too.
    fs: { allow: ['.', '../docs/guides', '../node_modules'] },
    proxy: {
      '^/(logos/|integrations/[^/]+/logo$|app$|graphql|dev|certificates|openapi|problems|healthz)': {
        target: portal,
        headers: { origin: portal },
      },
    },
  },
});
