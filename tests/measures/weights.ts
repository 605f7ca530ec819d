import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const pages = 'dist/portal-web';
const assets = join(pages, 'assets');

/** Bytes of a script as it is served to a browser that takes brotli. A file that is never built again is sent as it is. */
function weight(name: string): number {
  const built = statSync(join(assets, `${name}.br`), { throwIfNoEntry: false });
  return (built ?? statSync(join(assets, name))).size;
}

const kilo = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + weight(name), 0) / 1000;

/** The scripts that these need before they can run: what they load later does not count. */
function needed(names: readonly string[]): Set<string> {
  const all = new Set<string>();
  for (const waiting = [...names]; waiting.length > 0;) {
    const name = waiting.pop() ?? '';
    if (all.has(name)) continue;
    all.add(name);
    const imports = readFileSync(join(assets, name), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g);
    waiting.push(...[...imports].map(([, file]) => file ?? ''));
  }
  return all;
}

/** A page’s text and the index of the search are data; the documentation has ceilings of its own. */
function isDocumentation(name: string): boolean {
  return /^(?:var|let|const) \w+=(?:JSON\.parse\(|[`'"]# )/.test(readFileSync(join(assets, name), 'utf8').slice(0, 60));
}

/** What is loaded first, what comes with the palette, each page's own script, and everything together, in kilobytes. */
export function weights() {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js') && readdirSync(assets).includes(`${name}.br`));
  const called = (start: string) => scripts.filter((name) => name.startsWith(`${start}-`));
  const html = readFileSync(join(pages, 'index.html'), 'utf8');
  const entry = needed([...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? ''));
  const signedIn = new Set([...entry, ...needed(called('SignedInHeader'))]);
  return {
    entry: kilo(entry),
    signIn: kilo(new Set([...entry, ...needed(called('SignInPage'))])),
    palette: kilo([...needed(called('Palette'))].filter((name) => !signedIn.has(name))),
    charts: kilo(scripts.filter((name) => /plot/i.test(name))),
    whole: kilo(scripts.filter((name) => !isDocumentation(name))),
    documentation: kilo(scripts.filter(isDocumentation)),
    pages: scripts
      .filter((name) => /Page-[^/]*\.js$/.test(name))
      .map((name) => ({ name: name.replace(/-[^-]*\.js$/, ''), kB: kilo([name]) })),
  };
}
