/** How far a run is, every fifteen seconds, and at its end which files took longest. */
import { relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');
const everyMs = 15_000;
const shown = 5;

export default class Progress {
  #begun = Date.now();
  #said = Date.now();

  onTestResult(_test, _result, { numTotalTestSuites, numPassedTestSuites, numFailedTestSuites }) {
    const now = Date.now();
    if (now - this.#said < everyMs) return;
    this.#said = now;
    const done = numPassedTestSuites + numFailedTestSuites;
    const failed = numFailedTestSuites === 0 ? '' : `, ${numFailedTestSuites} failed`;
    say(`... ${done} of ${numTotalTestSuites} files${failed}, ${seconds(now - this.#begun)}`);
  }

  onRunComplete(_contexts, { testResults }) {
    const slowest = testResults
      .map(({ testFilePath, perfStats }) => [relative(root, testFilePath), perfStats.end - perfStats.start])
      .sort(([, a], [, b]) => b - a)
      .slice(0, shown);
    say('\nThe slowest files:');
    for (const [file, ms] of slowest) say(`${seconds(ms).padStart(10)}  ${file}`);
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const say = (line) => void process.stderr.write(`${line}\n`);
