// Logs a hundred requests, perhaps something else, and ends: `node holding-log.ts <requests|other> <nothing|exit|throw|stop|kill>`.
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessLog } from '../../src/kit/access-log.ts';
import { createLog } from '../../src/kit/log.ts';

const [, , what, end] = process.argv;
const log = createLog('test', 'info');
const requests = new AccessLog(log);
for (let index = 0; index < 100; index += 1) {
  requests.write('info', { requestId: 'request-0042', method: 'GET', path: `/${index}`, status: 200, ms: 1 });
}
if (what === 'other') log.warn('other');
if (end === 'exit') process.exit(0);
if (end === 'throw') throw new Error('unexpected');
if (end === 'stop') {
  log.flush();
  process.exit(0);
}
if (end === 'kill') {
  // Longer than lines are held, or just long enough for a write that began at once.
  await sleep(what === 'other' ? 20 : 1_000);
  process.kill(process.pid, 'SIGKILL');
}
