import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const assets = 'dist/portal-web/assets';

/** Bytes of an asset as it is served to a browser that takes brotli. */
function weight(name: string): number {
  return statSync(join(assets, `${name}.br`)).size;
}

/** What the first document loads, each page's own script, and everything together, in kilobytes. */
export function weights() {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js') && statSync(join(assets, name)).isFile());
  const weighed = scripts.filter((name) => readdirSync(assets).includes(`${name}.br`));
  const index = readFileSync('dist/portal-web/index.html', 'utf8');
  const entry = weighed.filter((name) => index.includes(name));
  const kilo = (names: readonly string[]) => names.reduce((sum, name) => sum + weight(name), 0) / 1000;
  return {
    entry: kilo(entry),
    all: kilo(weighed),
    pages: weighed
      .filter((name) => /Page-[^/]*\.js$/.test(name))
      .map((name) => ({ name: name.replace(/-[^-]*\.js$/, ''), kB: kilo([name]) })),
    charts: kilo(weighed.filter((name) => /plot/i.test(name))),
  };
}
