/**
 * Jest's environment of a test file: the worker's own realm, as the modules under test are shared by the worker's files (runtime.mjs).
 * What a file changed of the process is put back when it ends.
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
    // Jest's formatting of errors looks for it.
    Error.stackTraceLimit = 100;
  }

  /** Has started what the file needs, and says in the variables where it is; of what starts nothing, what is there already. */
  async setup() {
    const provider = process.env.OSTIARY_TEST_PROVIDER;
    if (provider === undefined) return;
    for (const need of this.#startsNothing ? ['made'] : needsOf(this.#testPath)) {
      const response = await fetch(provider + need);
      const text = await response.text();
      if (!response.ok) throw new Error(`What the tests need (${need}) could not be started: ${text}`);
      Object.assign(process.env, JSON.parse(text));
    }
  }

  /** Stack traces name files, as Jest's reports do; not the modules' addresses. */
  handleTestEvent({ name, test, error: uncaught }) {
    // Who gives something back that others use after this file says so.
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
