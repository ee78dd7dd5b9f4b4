/** Prints every fifteen seconds how far a run is, and records the load of the machine when a file fails. */
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';

const everyMs = 15_000;

export default class Progress {
  #begun = Date.now();
  #said = Date.now();

  onTestResult({ path }, { numFailingTests, testExecError }, totals) {
    if (numFailingTests > 0 || testExecError) recordLoad(path);
    const { numTotalTestSuites, numPassedTestSuites, numFailedTestSuites } = totals;
    const now = Date.now();
    if (now - this.#said < everyMs) return;
    this.#said = now;
    const done = numPassedTestSuites + numFailedTestSuites;
    const failed = numFailedTestSuites === 0 ? '' : `, ${numFailedTestSuites} failed`;
    const seconds = ((now - this.#begun) / 1000).toFixed(1);
    process.stderr.write(`... ${done} of ${numTotalTestSuites} files${failed}, ${seconds} s\n`);
  }
}

function recordLoad(file) {
  const { OSTIARY_TEST_LOADS } = process.env;
  if (OSTIARY_TEST_LOADS)
    appendFileSync(OSTIARY_TEST_LOADS, `${JSON.stringify({ file, load: loadavg() })}\n`);
}
