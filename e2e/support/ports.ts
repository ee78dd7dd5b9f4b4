import { createSocket } from 'node:dgram';
import { portIsFree } from '@ostiary/embedded';

/**
 * Below the ports that `freePort` gives and those of outgoing connections: a system that is stopped and started again on ports that follow
 * one another finds them free, whatever else of a run chooses one meanwhile.
 */
const lowest = 10_200;
const highest = 17_700;
/** A system has the ports from 0 to 3, from 100 to 103, and 200, after its first one. */
const apart = 300;

/** Keeps a first port from whoever else asks for one, as long as this process lives: by the UDP port of the same number. */
const keep = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });

/** A port after which those of a whole system are free: nobody else is given them. */
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
