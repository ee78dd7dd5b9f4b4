import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { NeighbourProofs } from './http/neighbours.ts';
import { dpopNonceKeys, eventSignatures, streamSignatures } from './keys/message-keys.ts';
import type { Redis } from './redis/connection.ts';

export { recordSkip } from './testing-skips.ts';
export { eventually, waitBoundMs } from './testing-waits.ts';

const eventKey = Buffer.alloc(32, 2);
const streamKey = Buffer.alloc(32, 3);

/** Keys that the processes of a test share, as in their environment. */
export const testKeys = {
  EVENT_KEY: eventKey.toString('base64url'),
  STREAM_KEY: streamKey.toString('base64url'),
} as const;

export const testStreamKeys = { STREAM_KEY: streamKey };
export const testEventSignatures = eventSignatures({ EVENT_KEY: eventKey });
export const testStreamSignatures = streamSignatures(testStreamKeys);
export const testNonceKeys = dpopNonceKeys(testStreamKeys);
/** Proofs of the processes of a test. */
export const testNeighbours = new NeighbourProofs(testStreamSignatures, Date.now);

/** A key in Redis: its size in bytes with name and overhead, and its TTL in milliseconds (-1: none). */
export interface KeptKey {
  bytes: number;
  ms: number;
}

/** Returns the names of all keys in Redis of processes with this REDIS_PREFIX. */
export const redisNames = (redis: Redis, prefix: string): Promise<string[]> => redis.keys(`*${prefix}*`);

/** Returns all keys in Redis of processes with this REDIS_PREFIX, by name. */
export const redisContents = async (redis: Redis, prefix: string): Promise<Map<string, KeptKey>> =>
  keptKeys(redis, await redisNames(redis, prefix));

/** Returns the keys of these names that still exist. */
export async function keptKeys(redis: Redis, names: readonly string[]): Promise<Map<string, KeptKey>> {
  const looking = redis.pipeline();
  for (const name of names) looking.memory('USAGE', name).pttl(name);
  const found = (await looking.exec()) ?? [];
  const kept = new Map<string, KeptKey>();
  for (const [index, name] of names.entries()) {
    const [bytes, ms] = found.slice(2 * index, 2 * index + 2).map(([error, value]) => {
      if (error) throw error;
      return value;
    });
    if (bytes !== null) kept.set(name, { bytes: Number(bytes), ms: Number(ms) });
  }
  return kept;
}

/** A proxy to a loopback port that can drop connections without closing them. */
export class SilentLink {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(to: number) {
    this.#server = createServer((near) => this.#join(near, connect(to, '127.0.0.1')));
  }

  static async to(port: number): Promise<SilentLink> {
    const link = new SilentLink(port);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Stops all traffic on existing connections without closing them, as a firewall that drops them; new ones
   * work.
   */
  silence(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        this.#sockets.delete(socket);
      });
    }
    near.pipe(far).pipe(near);
  }
}
