import { createSocket } from 'node:dgram';
import { portIsFree } from '@ostiary/embedded';

/**
 * Below the ports of `freePort` and of outgoing connections: a system that is restarted on consecutive ports finds them
 * free, even while other parts of a run reserve ports.
 */
const lowest = 10_200;
const highest = 17_700;
/** Size of the block of one system, which uses the offsets 0 to 3, 100 to 103, and 200. */
const apart = 300;

/** Reserves a port against other processes while this process runs, by the UDP port of the same number. */
const keep = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });

/** Reserves a block of free ports and returns its first port. */
export async function firstOfFreePorts(): Promise<number> {
  const blocks = (highest - lowest) / apart;
  const from = Math.floor(Math.random() * blocks);
  for (let block = 0; block < blocks; block += 1) {
    const first = lowest + apart * ((from + block) % blocks);
    if (!(await keep(first))) continue;
    const needed = [0, 1, 2, 3, 100, 101, 102, 103, 200].map((offset) => portIsFree(first + offset));
    if ((await Promise.all(needed)).every(Boolean)) return first;
  }
  throw new Error(`No free ports in a row between ${lowest} and ${highest}`);
}
