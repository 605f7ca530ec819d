import { registerHooks } from 'node:module';

/** The sources that `npm run build:server` compiles to `dist`. Their decorators need a compiler; Node itself reads what else tests import. */
const compiled = /^(server|rest-api|workers|migrations|bench|demo|docs\/receivers)\/.*\.ts$/;

const root = new URL('../../../', import.meta.url).href;
const jestGlobals = new URL('jestGlobals.js', import.meta.url).href;

// Tests import sources, which editors and the compiler follow. What runs is what was compiled of them, as in production.
registerHooks({
  resolve(specifier, context, nextResolve) {
    // Jest's own module works in Jest's own environment alone.
    if (specifier === '@jest/globals') return { url: jestGlobals, shortCircuit: true };
    const found = nextResolve(specifier, context);
    if (!found.url.startsWith(root)) return found;
    const [path = '', query] = found.url.slice(root.length).split('?');
    if (!compiled.test(path)) return found;
    const url = `${root}dist/${path.slice(0, -'.ts'.length)}.js`;
    return { ...found, url: query === undefined ? url : `${url}?${query}`, format: 'module' };
  },
});

const workerData = 'jest-light-runner-worker-data';
let early: unknown;

// The runner (jest-light-runner 0.8.2) answers all its processes when one of them asks for its data. One that is about to ask, and does not listen
// yet, would miss the answer, get no other and hang with its test file. So an answer that has come is given to each later listener.
if (process.send) {
  process.on('message', (message: { readonly type?: unknown } | null) => {
    if (message?.type === workerData) early = message;
  });
  process.on('newListener', (event: string | symbol, listener: (message: unknown) => void) => {
    if (event === 'message' && early !== undefined) setImmediate(listener, early);
  });
}
