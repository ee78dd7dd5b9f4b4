/**
 * `npm test` and `npm run test:full`: run Jest tests against real servers and a running system, in parallel with types,
 * lint, unused code and layers. Options are those of `scripts/test/options.ts`; other arguments are Jest's. Expects a
 * built tree (bootstrap.mjs builds it), and uses free ports and a temporary folder only. The last line is the sum; the
 * exit code is 0 when nothing failed.
 */
import { resolve } from 'node:path';
import { runAndReport } from './test/run.ts';

try {
  process.exitCode = await runAndReport({
    root: resolve(import.meta.dirname, '..'),
    args: process.argv.slice(2),
    checks: true,
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
process.disconnect?.();
