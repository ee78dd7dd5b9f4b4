/**
 * Jest's global teardown: stops what setup.mjs started, and reports broken invariants of the system that the tests shared. In the file
 * that OSTIARY_TEST_FLAWS names, when it is set: an error here would end Jest before it writes the results of the tests.
 */
import { writeFileSync } from 'node:fs';

export default async function teardown() {
  const flaws = await globalThis.testProvider?.stop();
  globalThis.testProvider = undefined;
  if (!(flaws?.length > 0)) return;
  const { OSTIARY_TEST_FLAWS } = process.env;
  if (!OSTIARY_TEST_FLAWS) throw new Error(flaws.join('\n'));
  process.stderr.write(`${flaws.join('\n')}\n`);
  writeFileSync(OSTIARY_TEST_FLAWS, flaws.join('\n'));
}
