import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { parse } from 'yaml';

// A worker that has run many files needs longer to take its heap apart than Jest waits before it ends a worker by force, and says that a
// test has left something open. When a worker exits, nothing is left to do: it goes at once.
if (process.send) process.once('exit', (code) => process.reallyExit(code));

/**
 * What V8 has compiled, by the name and length of its source. Every test file loads the same hundreds of modules anew, and compiling them
 * takes a fifth of that time.
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

/** The descriptions in YAML that this worker has read, as JSON, which is parsed fifty times as fast. */
const descriptions = new Map();
function yamlAsJson(path) {
  const known = descriptions.get(path) ?? JSON.stringify(parse(readFileSync(path, 'utf8')));
  descriptions.set(path, known);
  return known;
}

/** Jest's own environment of Node, in a worker that exits at once and keeps what does not change from one test file to the next. */
export default class extends TestEnvironment {
  constructor(...args) {
    super(...args);
    this.global.yamlAsJson = yamlAsJson;
  }
}
