import { Cluster } from 'ioredis';
import type { Redis, RedisServer } from './connection.ts';
import { keySlot, slotCount } from './slots.ts';

/**
 * Returns the server that has a key, for commands without a key, such as its time and run id.
 * @throws Error while no known node of the cluster has it
 */
export function serverOf(redis: Redis, key: string): RedisServer {
  if (!(redis instanceof Cluster)) return redis;
  const server = primariesOf(redis)(keySlot(key));
  if (!server) throw new Error('No node of the Redis cluster has the slot');
  return server;
}

/**
 * Calls back whenever the server of a key may have changed or restarted: on every connection, and in a
 * cluster, whose connections persist, on every change of the key's node.
 */
export function onServerChange(redis: Redis, key: string, listener: () => void): void {
  redis.on('ready', listener);
  if (!(redis instanceof Cluster)) return;
  let known: RedisServer | undefined;
  redis.on('refresh', () => {
    // A node that was removed and added again has another connection.
    const server = primariesOf(redis)(keySlot(key));
    if (server === known) return;
    known = server;
    if (redis.status === 'ready') listener();
  });
}

/**
 * Returns one key with the stem for each server that has keys. @throws Error while a part of the cluster has
 * no node
 */
export function keyOnEach(redis: Redis, stem: string): string[] {
  if (!(redis instanceof Cluster)) return [`${stem}0`];
  const owners = new Set<string>();
  for (let slot = 0; slot < slotCount; slot += 1) {
    const owner = redis.slots[slot]?.[0];
    if (owner === undefined) throw new Error('No node of the Redis cluster has some of the slots');
    owners.add(owner);
  }
  const keys: string[] = [];
  for (let n = 0; owners.size > 0; n += 1) {
    const key = `${stem}${n}`;
    if (owners.delete(redis.slots[keySlot(key)]?.[0] ?? '')) keys.push(key);
  }
  return keys;
}

/** Returns a lookup of the node that has a slot. */
function primariesOf(cluster: Cluster): (slot: number) => RedisServer | undefined {
  const nodes = new Map(cluster.nodes().map((node) => [`${node.options.host}:${node.options.port}`, node]));
  return (slot) => nodes.get(cluster.slots[slot]?.[0] ?? '');
}
