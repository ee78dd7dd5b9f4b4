// Measures argon2id computations per second with the service's parameters, with the implementation of Node.js (OpenSSL)
// or with the package that the service uses.
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { hashRaw } from '@node-rs/argon2';

const message = Buffer.from('correct horse battery staple');
const salt = randomBytes(16);
const [memory, passes, parallelism, length] = [19_456, 2, 1, 32];
const derive = promisify(argon2);
const implementations = {
  node: () => derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: length }),
  service: () =>
    hashRaw(message, {
      algorithm: 2,
      salt,
      memoryCost: memory,
      timeCost: passes,
      parallelism,
      outputLen: length,
    }),
};

const [seconds, concurrency] = process.argv.slice(2, 4).map(Number);
const hash = implementations[process.argv[4]];
const took = [];
const before = process.cpuUsage();
const start = performance.now();
const end = start + seconds * 1_000;
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await hash();
      took.push(performance.now() - begun);
    }
  }),
);
const { user, system } = process.cpuUsage(before);
const done = took.length;
process.send({
  perSecond: (done * 1_000) / (performance.now() - start),
  hashMillis: took.sort((a, b) => a - b)[Math.floor(done / 2)],
  cpuMicros: (user + system) / done,
});
