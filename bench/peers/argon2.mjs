// As many argon2id computations a second as the machine can do, with the service's own cost and nothing around them.
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);
const [seconds, concurrency] = process.argv.slice(2).map(Number);
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const message = Buffer.from('correct horse battery staple');
const nonce = randomBytes(16);

let done = 0;
const before = process.cpuUsage();
const start = performance.now();
const end = start + seconds * 1_000;
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    while (performance.now() < end) {
      await derive('argon2id', { message, nonce, ...cost });
      done += 1;
    }
  }),
);
const { user, system } = process.cpuUsage(before);
process.send({ perSecond: (done * 1_000) / (performance.now() - start), cpuMicros: (user + system) / done });
