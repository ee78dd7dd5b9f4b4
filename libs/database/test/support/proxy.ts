import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** URL of the database through this proxy. */
  url: string;
  /** Breaks all connections and rejects new ones, until restore(). */
  cut(): void;
  restore(): void;
  /** Stops forwarding on existing connections without closing them; new ones work. */
  silence(): void;
  /** Leads new connections to another server; existing ones stay. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy in front of the database, which can make it unavailable. */
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
  // A socket in addition to TCP would bypass the proxy.
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
