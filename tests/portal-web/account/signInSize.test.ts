import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const pages = path.resolve('dist/portal-web');
const assets = path.join(pages, 'assets');

/** The scripts that a page needs before it can be shown, each with its own: what is loaded lazily does not count. */
function scriptsOf(...files: string[]): Set<string> {
  const needed = new Set<string>();
  for (const waiting = [...files]; waiting.length > 0;) {
    const file = waiting.pop() ?? '';
    if (needed.has(file)) continue;
    needed.add(file);
    const text = readFileSync(path.join(assets, file), 'utf8');
    waiting.push(...[...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, name]) => name ?? ''));
  }
  return needed;
}

function signInScripts(): string[] {
  const html = readFileSync(path.join(pages, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? '');
  const page = readdirSync(assets).filter((name) => /^SignInPage-.*\.js$/.test(name));
  return [...scriptsOf(...named, ...page)];
}

test('the sign-in page loads at most 150 kB of compressed scripts, and neither a chart nor what is for those who are signed in', () => {
  const scripts = signInScripts();
  expect(scripts.filter((name) => name.startsWith('SignInPage-'))).toHaveLength(1);
  expect(scripts.length).toBeGreaterThan(2);
  const size = scripts.map((name) => compressedSize(name)).reduce((sum, bytes) => sum + bytes, 0);
  expect(size).toBeLessThanOrEqual(150_000);
  expect(scripts.filter((name) => /^(SignedInHeader|Palette|Modal|ScrollArea|Combobox)-/.test(name))).toEqual([]);
  // The library names its elements by this prefix.
  expect(scripts.filter((name) => readFileSync(path.join(assets, name), 'utf8').includes('u-over'))).toEqual([]);
});

/** As the portal sends it to every browser that has passkeys; a file that is never built again is sent as it is. */
function compressedSize(name: string): number {
  const file = path.join(assets, name);
  return statSync(readdirSync(assets).includes(`${name}.br`) ? `${file}.br` : file).size;
}
