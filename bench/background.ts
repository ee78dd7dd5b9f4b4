// A thread that puts a steady load on, until it is terminated; its options come as workerData. Every second it says how many
// requests were answered as they should be, and how many weren't.
import { parentPort, workerData } from 'node:worker_threads';
import autocannon from 'autocannon';

/** What came of a second. */
export interface Reached {
  completed: number;
  failed: number;
}

const load = autocannon(workerData as autocannon.Options, () => undefined);
const second: Reached = { completed: 0, failed: 0 };
load.on('response', (_client, status) => {
  second[status < 300 ? 'completed' : 'failed'] += 1;
});
load.on('reqError', () => {
  second.failed += 1;
});
setInterval(() => {
  parentPort?.postMessage({ ...second });
  second.completed = 0;
  second.failed = 0;
}, 1_000);
