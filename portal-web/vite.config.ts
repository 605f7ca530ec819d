import react from '@vitejs/plugin-react';
import postcssPresetMantine from 'postcss-preset-mantine';
import { defineConfig } from 'vite';

/** Where `npm start` serves the portal; the development server of Vite passes everything but the pages on to it. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000';

export default defineConfig({
  plugins: [react()],
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
      '^/(graphql|dev|certificates|openapi|problems|healthz)': { target: portal, headers: { origin: portal } },
    },
  },
});
