import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The database's URL by way of this proxy. */
  url: string;
  /** Breaks all connections and refuses new ones, until restore(). */
  cut(): void;
  restore(): void;
  /** From now on nothing passes on the connections there are, and nobody is told; new ones work. */
  silence(): void;
  /** New connections go to another server from now on; those there are stay. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** A TCP proxy in front of the database, to take it away and give it back. */
export async function proxyTo(url: string): Promise<TcpProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let up = true;
  const server = createServer((client) => {
    if (!up) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  // A socket beside TCP, which it would be by otherwise.
  through.searchParams.delete('host');
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    up = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through.href,
    cut,
    restore() {
      up = true;
    },
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    leadTo(other) {
      target = new URL(other);
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
