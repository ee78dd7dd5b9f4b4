import { appendFileSync } from 'node:fs';

/** Records why tests of the running test file are skipped. The report of the run lists the reason. */
export function recordSkip(reason: string): void {
  const { OSTIARY_TEST_FILE: file, OSTIARY_TEST_SKIPS: path } = process.env;
  process.stderr.write(`${file ?? 'Tests'}: skipped, ${reason}\n`);
  if (file && path) appendFileSync(path, `${JSON.stringify({ file, reason })}\n`);
}
