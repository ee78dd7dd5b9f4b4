import type { Redis } from 'ioredis';
import { dpopNonceKeys, eventSignatures, streamSignatures } from './keys/message-keys.ts';

const eventKey = Buffer.alloc(32, 2);
const streamKey = Buffer.alloc(32, 3);

/** Keys that the processes of a test share, as their environment has them. */
export const testKeys = {
  EVENT_KEY: eventKey.toString('base64url'),
  STREAM_KEY: streamKey.toString('base64url'),
} as const;

export const testStreamKeys = { STREAM_KEY: streamKey };
export const testEventSignatures = eventSignatures({ EVENT_KEY: eventKey });
export const testStreamSignatures = streamSignatures(testStreamKeys);
export const testNonceKeys = dpopNonceKeys(testStreamKeys);

/** A key in Redis: its bytes, names and overhead included, and the milliseconds until it goes by itself; -1 for never. */
export interface KeptKey {
  bytes: number;
  ms: number;
}

/** Everything that processes with this REDIS_PREFIX have in Redis, by the names of the keys. */
export async function redisContents(redis: Redis, prefix: string): Promise<Map<string, KeptKey>> {
  const names = await redis.keys(`*${prefix}*`);
  const contents = new Map<string, KeptKey>();
  for (const name of names) {
    const [bytes, ms] = await Promise.all([redis.memory('USAGE', name), redis.pttl(name)]);
    // Gone in between.
    if (bytes !== null) contents.set(name, { bytes, ms });
  }
  return contents;
}
