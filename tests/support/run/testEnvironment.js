import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { parse } from 'yaml';

// A worker that has run many files needs longer to take its heap apart than Jest waits before it ends a worker by force, and says that a
// test has left something open. When a worker exits, nothing is left to do: it goes at once.
if (process.send) process.once('exit', (code) => process.reallyExit(code));

/**
 * What V8 has compiled, by the name and length of its source. Every test file loads Jest's own modules and what supports tests anew, and
 * compiling them takes a fifth of that time.
 */
const compiled = new Map();
const keyOf = (name, source) => `${name} ${source.length}`;

const { SourceTextModule, compileFunction } = vm;
if (SourceTextModule) {
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(source, options) {
      const key = keyOf(options.identifier, source);
      super(source, { ...options, cachedData: compiled.get(key) });
      if (!compiled.has(key)) compiled.set(key, this.createCachedData());
    }
  };
}
vm.compileFunction = (source, parameters, options) => {
  const key = keyOf(options.filename, source);
  const cachedData = compiled.get(key);
  const result = compileFunction(source, parameters, { ...options, cachedData, produceCachedData: cachedData === undefined });
  if (cachedData === undefined) compiled.set(key, result.cachedData);
  return result;
};

/**
 * Jest's global object is a proxy, and each mention of `Math` or `Object` in any module asks it. A context's own global object answers as
 * quickly as Node's does.
 */
const { createContext } = vm;
vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);

/** The descriptions in YAML that this worker has read, as JSON, which is parsed fifty times as fast. */
const descriptions = new Map();
function yamlAsJson(path) {
  const known = descriptions.get(path) ?? JSON.stringify(parse(readFileSync(path, 'utf8')));
  descriptions.set(path, known);
  return known;
}

/** Jest's own environment of Node, which all test files of a worker share because the product's modules live in it. */
class WorkerEnvironment extends TestEnvironment {
  constructor(...args) {
    super(...args);
    const { process } = this.global;
    this.global.yamlAsJson = yamlAsJson;
    this.fresh = { exit: Object.getOwnPropertyDescriptor(process, 'exit'), env: { ...process.env } };
  }

  /** Gives the next file what this one was given. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    const { process } = this.global;
    Object.defineProperty(process, 'exit', this.fresh.exit);
    for (const name of Object.keys(process.env)) if (!(name in this.fresh.env)) delete process.env[name];
    Object.assign(process.env, this.fresh.env);
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (jestsOwn.has(symbol.description)) delete this.global[symbol];
    }
    this._globalProxy.leftovers = [];
  }
}

/** What Jest keeps of one file in the global object. */
const jestsOwn = new Set([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'RETRY_TIMES_SETTER',
  'TEST_TIMEOUT_SYMBOL',
  'LOG_ERRORS_BEFORE_RETRY',
]);

let shared;

/** The worker's one environment. */
export default function environment(...given) {
  return (shared ??= new WorkerEnvironment(...given));
}
