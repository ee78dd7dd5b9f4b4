/**
 * What a test file needs to be running: found in its text and in that of the test code it imports, so that a pure test starts nothing,
 * whichever way it is run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const signs = {
  servers: /\bTEST_(DATABASE|REDIS)_URL\b|\bcreateTestDatabase\b/,
  // Not where `runningDemo` is declared, as others import that file for its types.
  system: /\bOSTIARY_E2E_SYSTEM\b|process\.env\.OSTIARY_E2E ?\?|(?<!function )\brunningDemo\(/,
  home: /\bOSTIARY_TEST_HOME\b/,
};
const relative = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
/** Sources say for themselves what they connect to; only test code takes it from the run. */
const isSource = /\/src\/(?!.*\.test\.ts$)(?!testing\.ts$)|\/dist\/|\/node_modules\//;

const known = new Map();

/** @returns {Set<'servers' | 'system'>} */
export function needsOf(file) {
  const found = new Set();
  const seen = new Set();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { needs, imports } = lookAt(path);
    for (const need of needs) found.add(need);
    waiting.push(...imports);
  }
  return found;
}

function lookAt(path) {
  const before = known.get(path);
  if (before !== undefined) return before;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const result = {
    needs: Object.keys(signs).filter((need) => signs[need].test(text)),
    imports: [...text.matchAll(relative)]
      .map(([, target]) => resolve(dirname(path), target))
      .filter((target) => !isSource.test(target)),
  };
  known.set(path, result);
  return result;
}
