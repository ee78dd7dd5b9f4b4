/**
 * Preloaded (`node --import`) into every supervised process. File descriptor 3 is a pipe that only the
 * supervisor holds open: if it closes, the supervisor is gone, even by SIGKILL, and this process stops as on
 * SIGTERM. A second line of defence in addition to the guardian process.
 */
import { Socket } from 'node:net';

const descriptor = Number(process.env.OSTIARY_PARENT_FD);
delete process.env.OSTIARY_PARENT_FD;

if (Number.isInteger(descriptor) && descriptor > 2) {
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.unref();
  pipe.on('error', () => undefined);
  pipe.on('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20_000).unref();
  });
  pipe.resume();
}
