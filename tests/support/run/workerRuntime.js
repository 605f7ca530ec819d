import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Runtime from 'jest-runtime';

/** What belongs to a test file alone is in here: the file itself, and what supports it. All else is the product and its packages. */
const testsFolder = path.resolve(import.meta.dirname, '../..') + path.sep;
const isShared = (file) => path.isAbsolute(file) && !file.startsWith(testsFolder);

/** The worker's runtime for the product's modules, which outlives its test files. */
let kept;

/** Jest's runtime, but never torn down. */
class KeptModules extends Runtime {
  /** The module at a file's address, evaluated at its first use. */
  load(address) {
    const file = fileURLToPath(address);
    const loader = this.esmLoader;
    return file.endsWith('.json') || this.unstable_shouldLoadAsEsm(file)
      ? loader.tryLoadGraphSync(file, '', 'sync-required')
      : loader.loadCjsAsEsm(file, file, '', loader.getContext());
  }
}

/** The modules of one test file, and behind them those that the worker keeps. */
class OwnModules extends Map {
  get(key) {
    return super.get(key) ?? (isSharedAddress(key) ? kept.load(key) : undefined);
  }

  has(key) {
    return this.get(key) !== undefined;
  }
}

/** Who asks for a module with a query gets one of its own. */
function isSharedAddress(key) {
  return key.startsWith('file:') && !/[?#]/.test(key) && isShared(fileURLToPath(key));
}

/**
 * Jest's runtime, except that a worker loads the product and its packages once instead of once for each test file. Test files and what
 * supports them are loaded anew.
 */
class WorkerRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    kept ??= new KeptModules(...given);
    this.registries.esModuleRegistry = new OwnModules();
    // Places in messages are looked up in modules of both kinds.
    this.transformCache.sourceMaps = kept.transformCache.sourceMaps;
  }

  requireModuleOrMock(from, name) {
    const isJests = name.startsWith('@jest/') || this._resolution.isCoreModule(name);
    if (isJests || !isShared(this._resolution.resolveCjs(from, name))) return super.requireModuleOrMock(from, name);
    return kept.requireModuleOrMock(from, name);
  }
}

// Jest requires this module, and takes what stands here for a class.
export { WorkerRuntime as 'module.exports' };
