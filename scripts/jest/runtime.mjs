/**
 * Jest `runtime` on Node's module loader. A worker loads tested sources and dependencies once instead of once per test
 * file, as in production, with types stripped by Node. Test files and their test code are loaded again for each file,
 * so that their state and hooks are separate.
 *
 * Module mocks, fake timers and coverage are not supported: a test that uses them fails with a TypeError.
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

/** Query parameter in the URL of a module that belongs to one test file. */
const parameter = /[?&]test-file=(\d+)/;
/** Loaded once: dependencies, built files, and sources of packages except the tests among them. */
const shared = /\/node_modules\/|\/dist\/|\/src\/(?!.*\.test\.ts$)/;
/** Built files of libs, which are replaced by their current sources. */
const built = /^libs\/([^/]+)\/dist\/(.+)\.js$/;

/** Files that inspect declarations made while modules load; they get separate sources. */
const looksAtModules = /\b(statementsIn|registeredStatements)\b/;
/** Keeps one instance in its module, so it is loaded once per copy of the importing source. */
const single = /^node_modules\/@prisma\/schema-engine-wasm\//;
const withOwnSources = new Set();

const belongsToFile = (path, file) =>
  withOwnSources.has(file)
    ? !/(^|\/)node_modules\//.test(path) || single.test(path)
    : !shared.test(`/${path}`);

/**
 * Workers are replaced (--workerIdleMemoryLimit); a new one finds the code that previous ones compiled. The cache
 * belongs to one run, because the test code of each file has its own URL. A worker has loaded most modules after these
 * numbers of files.
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

/** Suppresses warnings about experimental features, which each worker would repeat. */
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

  /** Loads Jest's framework without the state of another file. */
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
