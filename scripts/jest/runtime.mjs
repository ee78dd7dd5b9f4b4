/**
 * Jest's `runtime`, by Node's own module loader: what is tested, and every dependency, is loaded once in a worker instead of once for
 * every test file, and runs as it does in production, types stripped by Node. Test files, and what they import of test code, are
 * loaded anew for each file, so their state and their hooks are their own.
 *
 * Not offered, because no test needs it: module mocks, fake timers, coverage. A test that asks for them fails with a TypeError.
 */
import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { enter, leave } from './test-file.mjs';

const require = createRequire(import.meta.url);
const root = pathToFileURL(`${resolve(import.meta.dirname, '..', '..')}/`).href;
const globals = pathToFileURL(join(import.meta.dirname, 'globals.mjs')).href;
const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');
const circusHandlers = Symbol.for('EVENT_HANDLERS');

/** In the address of a module that belongs to one test file. */
const parameter = /[?&]test-file=(\d+)/;
/** Loaded once: dependencies, what is built, and the sources of packages (but not the tests that stand among them). */
const shared = /\/node_modules\/|\/dist\/|\/src\/(?!.*\.test\.ts$)/;
/** Packages enter one another through what is built. Its source is the same, and there is only one of it: that of today. */
const built = /^libs\/([^/]+)\/dist\/(.+)\.js$/;

/** Files that look at what modules declare when they are loaded: they get sources of their own, too. */
const looksAtModules = /\b(statementsIn|registeredStatements)\b/;
/** Keeps one instance in its module, for one copy of the source that loads it. */
const single = /^node_modules\/@prisma\/schema-engine-wasm\//;
const withOwnSources = new Set();

const belongsToFile = (path, file) =>
  withOwnSources.has(file)
    ? !/(^|\/)node_modules\//.test(path) || single.test(path)
    : !shared.test(`/${path}`);

/**
 * Workers come and go (--workerIdleMemoryLimit): one that begins finds compiled what those before it have loaded. Kept for a run, as the
 * test code of each file has an address of its own; after these files a worker has loaded most of what it ever will.
 */
const { OSTIARY_TEST_FOLDER } = process.env;
if (OSTIARY_TEST_FOLDER) enableCompileCache(join(OSTIARY_TEST_FOLDER, 'compiled'));
const flushedAfter = new Set([1, 5]);

quietly(process);
registerHooks({
  resolve(specifier, context, nextResolve) {
    const file = parameter.exec(context.parentURL ?? '')?.[0];
    if (specifier === '@jest/globals' && file !== undefined) {
      return { url: `${globals}${file}`, format: 'module', shortCircuit: true };
    }
    const resolved = nextResolve(specifier, context);
    if (!resolved.url.startsWith(root)) return resolved;
    const path = resolved.url.slice(root.length);
    const source = path.replace(built, 'libs/$1/src/$2.ts');
    const own = file !== undefined && belongsToFile(source, file) ? file : '';
    if (source !== path) return { ...resolved, url: root + source + own, format: 'module-typescript' };
    return { ...resolved, url: resolved.url + own };
  },
});

let files = 0;

/** Which features of Node are experimental is nothing to say once in each worker. */
function quietly(of) {
  const { emitWarning } = of;
  of.emitWarning = (warning, ...rest) => {
    if (![rest[0], rest[0]?.type, warning?.name].includes('ExperimentalWarning'))
      emitWarning.call(of, warning, ...rest);
  };
}

export default class NativeRuntime {
  #environment;
  #file;

  constructor(_config, environment, _resolver, _transformer, texts, _options, testPath) {
    files += 1;
    this.#file = `?test-file=${files}`;
    if (looksAtModules.test(texts.get(testPath) ?? '')) withOwnSources.add(this.#file);
    this.#environment = environment;
    const mocker = environment.moduleMocker;
    enter({
      jest: {
        fn: mocker.fn.bind(mocker),
        spyOn: mocker.spyOn.bind(mocker),
        replaceProperty: mocker.replaceProperty.bind(mocker),
        mocked: (source) => source,
        isMockFunction: mocker.isMockFunction.bind(mocker),
        clearAllMocks: () => mocker.clearAllMocks(),
        resetAllMocks: () => mocker.resetAllMocks(),
        restoreAllMocks: () => mocker.restoreAllMocks(),
        setTimeout: (ms) => {
          environment.global[timeout] = ms;
        },
      },
    });
  }

  setGlobalsForRuntime(testGlobals) {
    enter(testGlobals);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href + this.#file);
  }

  /** Jest's own framework, with the state of no other file. */
  requireInternalModule(path) {
    delete globalThis[circusHandlers];
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  getAllV8CoverageInfoCopy() {
    return [];
  }

  clearAllMocks() {
    this.#environment.moduleMocker.clearAllMocks();
  }

  resetAllMocks() {
    this.#environment.moduleMocker.resetAllMocks();
  }

  restoreAllMocks() {
    this.#environment.moduleMocker.restoreAllMocks();
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    if (OSTIARY_TEST_FOLDER && flushedAfter.has(files)) flushCompileCache();
    leave();
  }
}
