import { createSocket } from 'node:dgram';
import { createConnection, createServer } from 'node:net';

// Below the range that operating systems give to outgoing connections (Linux: 32768 and up), so that
// nobody's connection sits on the port between choosing it and listening on it, or during a restart.
const lowest = 18_000;
const highest = 32_000;
/** Milliseconds for which a port that was given stays given: as long as a whole system may take to come to listening on it. */
const keptMs = 120_000;

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** True when nothing else listens on the port, on IPv4 or IPv6 loopback. */
export async function portIsFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

/**
 * Keeps a port from whoever else chooses one on this machine, until its server listens on it: by holding the UDP port of the
 * same number, which nobody here uses, and which the system takes back when this process ends.
 */
const keep = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      // Where there is no UDP to be had, it is left to chance.
      resolve(error.code !== 'EADDRINUSE');
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      // Nothing of whoever asked is kept with it: in a test's process that would be all of the test's modules.
      socket.removeAllListeners('error');
      setTimeout(socket.close.bind(socket), keptMs).unref();
      resolve(true);
    });
  });

/** A port nobody listens on; for two minutes no other call on this machine gives the same. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if ((await keep(port)) && (await portIsFree(port))) return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest}`);
}

/** How far above its port the gateway has the one for the operator. */
const operatorOffset = 200;

/** Beside a port of the gateway that was chosen; where that one is taken, as by a second system of a test, another. */
export async function operatorPort(gateway: number | undefined): Promise<number> {
  if (gateway === undefined) return freePort();
  return (await portIsFree(gateway + operatorOffset)) ? gateway + operatorOffset : freePort();
}

/** Whether something accepts TCP connections there within the time; the error code when not. */
export function reachable(host: string, port: number, timeoutMs: number): Promise<true | string> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    const settle = (result: true | string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(timeoutMs, () => settle('no answer'));
    socket.once('connect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
  });
}
