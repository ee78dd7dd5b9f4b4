/**
 * Returns the servers that a test file needs, from its text and that of the test code it imports, so that a pure test
 * starts nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const signs = {
  servers: /\bTEST_(DATABASE|REDIS)_URL\b|\bcreateTestDatabase\b/,
  // Excludes the declaration of `runningDemo`, because other files import its types.
  system: /\bOSTIARY_E2E_SYSTEM\b|process\.env\.OSTIARY_E2E ?\?|(?<!function )\brunningDemo\(/,
  home: /\bOSTIARY_TEST_HOME\b/,
};
const relative = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
/** Sources are excluded: only test code reads the connections of the run. */
const isSource = /\/src\/(?!.*\.test\.ts$)(?!testing\.ts$)|\/dist\/|\/node_modules\//;

const known = new Map();

/** @returns {Set<'servers' | 'system' | 'home'>} */
export function needsOf(file) {
  return new Set(testCodeOf(file).flatMap(({ needs }) => needs));
}

/** @returns the bytes of a test file and of the test code that it imports */
export function sizeOf(file) {
  return testCodeOf(file).reduce((sum, { size }) => sum + size, 0);
}

/** Returns the size and needs of a file and of all test code that it imports. */
function testCodeOf(file) {
  const found = new Map();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.set(path, lookAt(path));
    waiting.push(...found.get(path).imports);
  }
  return [...found.values()];
}

function lookAt(path) {
  const before = known.get(path);
  if (before !== undefined) return before;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const result = {
    size: text.length,
    needs: Object.keys(signs).filter((need) => signs[need].test(text)),
    imports: [...text.matchAll(relative)]
      .map(([, target]) => resolve(dirname(path), target))
      .filter((target) => !isSource.test(target)),
  };
  known.set(path, result);
  return result;
}
