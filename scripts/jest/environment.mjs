/**
 * Jest environment of a test file, in the realm of the worker, because the files of a worker share the tested modules
 * (runtime.mjs). Changes to the process are undone at the end of the file.
 */
import { ModuleMocker } from 'jest-mock';
import { needsOf } from './needs.mjs';

const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');
const addresses = /file:\/\/(\/[^\s?)]+)(?:\?test-file=\d+)?/g;

export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #testPath;
  #before;

  #startsNothing;

  constructor({ projectConfig }, { testPath }) {
    this.#testPath = testPath;
    this.#startsNothing = projectConfig.testEnvironmentOptions.startsNothing === true;
    const { console, fetch } = globalThis;
    this.#before = { console, fetch, exit: process.exit, env: { ...process.env }, directory: process.cwd() };
    // Jest reads it when it formats errors.
    Error.stackTraceLimit = 100;
  }

  /**
   * Starts the servers that the file needs, and sets their variables. With `startsNothing`, sets the variables of
   * existing artifacts only.
   */
  async setup() {
    // recordSkip of @ostiary/service/testing reads it.
    process.env.OSTIARY_TEST_FILE = this.#testPath;
    const provider = process.env.OSTIARY_TEST_PROVIDER;
    if (provider === undefined) return;
    for (const need of this.#startsNothing ? ['made'] : needsOf(this.#testPath)) {
      const response = await fetch(provider + need);
      const text = await response.text();
      if (!response.ok)
        throw new Error(`A prerequisite of the tests (${need}) could not be started: ${text}`);
      Object.assign(process.env, JSON.parse(text));
    }
  }

  /** Converts module URLs in stack traces to file paths, as in Jest's reports. */
  handleTestEvent({ name, test, error: uncaught }) {
    // Releases of shared resources read this variable.
    if (name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0)) {
      process.env.OSTIARY_TEST_FAILED = 'true';
    }
    const errors = name === 'test_done' ? test.errors.flat() : name === 'error' ? [uncaught] : [];
    for (const error of errors) {
      for (
        let one = error, depth = 0;
        typeof one?.stack === 'string' && depth < 9;
        one = one.cause, depth += 1
      ) {
        one.stack = one.stack.replace(addresses, '$1');
      }
    }
  }

  async teardown() {
    const { console, fetch, exit, env, directory } = this.#before;
    this.moduleMocker.restoreAllMocks();
    Object.assign(globalThis, { console, fetch });
    process.exit = exit;
    if (process.cwd() !== directory) process.chdir(directory);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    delete globalThis[timeout];
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
