/**
 * Jest global teardown: stops the servers of setup.mjs and reports violated invariants of the shared system. Writes
 * them to the file that OSTIARY_TEST_FLAWS names, if set, because an error here would end Jest before it writes the
 * results.
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
