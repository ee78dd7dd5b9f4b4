// Worker thread that sends a steady load until it is terminated; the options are its workerData. Reports the numbers of
// successful and failed requests every second.
import { parentPort, workerData } from 'node:worker_threads';
import autocannon from 'autocannon';

/** Requests of one second. */
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
