import { createSocket } from 'node:dgram';
import { createConnection, createServer } from 'node:net';

// Below the range of outgoing connections (Linux: 32768 and up), so that none occupies the port between its
// selection and use, or during a restart.
const lowest = 18_000;
const highest = 32_000;
/**
 * Milliseconds for which a selected port is reserved: the maximum time in which a whole system starts to
 * listen.
 */
const keptMs = 120_000;

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Reports whether no server listens on the port, on IPv4 or IPv6 loopback. */
export async function portIsFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

/**
 * Reserves a port against other selections on this machine until its server listens, by opening the UDP port
 * of the same number, which is unused here and released when this process exits.
 */
const keep = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      // Without UDP the port is not reserved.
      resolve(error.code !== 'EADDRINUSE');
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      // Retains nothing of the caller, which in a test's process would be all of its modules.
      socket.removeAllListeners('error');
      setTimeout(socket.close.bind(socket), keptMs).unref();
      resolve(true);
    });
  });

/** Returns a free port; no other call on this machine returns it for two minutes. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if ((await keep(port)) && (await portIsFree(port))) return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest}`);
}

/** Offset of the gateway's operator port from its port. */
const operatorOffset = 200;

/**
 * Returns the operator port for a port of the gateway, or another one if it is in use, as by a second system
 * in tests.
 */
export async function operatorPort(gateway: number | undefined): Promise<number> {
  if (gateway === undefined) return freePort();
  return (await portIsFree(gateway + operatorOffset)) ? gateway + operatorOffset : freePort();
}

/** Reports whether a TCP connection succeeds within the timeout, otherwise returns the error code. */
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
