import { keySlot } from '@ostiary/service';
import { RedisCluster } from '../../support/engines/redis-cluster.ts';
import type { RedisProcess } from '../../support/engines/redis-process.ts';
import { RedisSentinels } from '../../support/engines/redis-sentinel.ts';
import type { Engine } from './engine.ts';

/** Slot of the queues and streams. */
const ownSlot = keySlot('{ostiary}:');

export async function sentinels(): Promise<Engine> {
  const group = await RedisSentinels.start();
  const failingOver = (
    harm: (primary: RedisProcess) => Promise<void>,
    heal: (it: RedisProcess) => Promise<void>,
  ) => ({
    strike: async (struck: () => void) => {
      const primary = await group.primary();
      await harm(primary);
      struck();
      await group.failedOver(primary);
      await heal(primary);
    },
  });
  return {
    name: 'Redis under three Sentinels, two replicas',
    at: { redisUrl: group.url, env: group.env },
    faults: {
      'primary killed': failingOver(
        (it) => it.kill(),
        (it) => it.start(),
      ),
      'primary hangs': failingOver(
        (it) => it.kill('SIGSTOP'),
        (it) => it.kill('SIGCONT'),
      ),
      'failover by an operator': failingOver(
        async () => void (await group.sentinels[0]?.admin.call('SENTINEL', 'FAILOVER', 'tests')),
        async () => undefined,
      ),
    },
    stop: () => group.stop(),
  };
}

export async function cluster(): Promise<Engine> {
  const nodes = await RedisCluster.start();
  const failingOver = (
    harm: (owner: RedisProcess) => Promise<void>,
    heal: (it: RedisProcess) => Promise<void>,
  ) => ({
    strike: async (struck: () => void) => {
      const owner = await nodes.ownerOf(ownSlot);
      await harm(owner);
      struck();
      await nodes.failedOver(ownSlot, owner);
      await heal(owner);
    },
  });
  return {
    name: 'Redis cluster, three primaries with a replica each',
    at: { redisUrl: nodes.url, env: nodes.env },
    faults: {
      'primary of the queues killed': failingOver(
        (it) => it.kill(),
        (it) => it.start(),
      ),
      'primary of the queues hangs': failingOver(
        (it) => it.kill('SIGSTOP'),
        (it) => it.kill('SIGCONT'),
      ),
      'slots move, the queues’ slot twice': {
        strike: async (struck) => {
          struck();
          for (const slot of [ownSlot, 0, 5_000, 10_000, 16_000, ownSlot]) await nodes.move(slot);
        },
      },
    },
    stop: () => nodes.stop(),
  };
}
