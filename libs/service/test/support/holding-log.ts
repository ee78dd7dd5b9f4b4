// Logs a hundred requests and ends: `node holding-log.ts <nothing|exit|throw|stop|kill>`.
import { AccessLog } from '../../src/kit/access-log.ts';
import { createLog } from '../../src/kit/log.ts';

const [, , end] = process.argv;
const log = createLog('test', 'info');
const requests = new AccessLog(log);
for (let index = 0; index < 100; index += 1) {
  requests.write('info', { requestId: 'request-0042', method: 'GET', path: `/${index}`, status: 200, ms: 1 });
}
if (end === 'exit') process.exit(0);
if (end === 'throw') throw new Error('unexpected');
if (end === 'stop') {
  log.flush();
  process.exit(0);
}
if (end === 'kill') {
  // The parent kills this process when it has read the last line.
  setInterval(() => undefined, 60_000);
}
