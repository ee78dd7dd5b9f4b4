/** A system of the run's pool (`system-pool.ts`), for a test file. */
import type { System } from '@ostiary/embedded/system';
import type { Calls, Lease, Settings } from './system-pool.ts';

/** The operations on a system that tests may use, independent of the process that started it. */
export type RunningSystem = Pick<
  System,
  'origin' | 'home' | 'urls' | 'metricsUrls' | 'databaseUrl' | 'redisUrl' | 'secrets' | 'env' | 'spawnExtra'
> &
  Omit<Calls, 'stopExtra' | 'spawnExtra'>;

export interface LeasedSystem {
  system: RunningSystem;
  demo: Lease['demo'];
  /** Returns the violated invariants. */
  broken(): Promise<string[]>;
  /** @returns the violated invariants */
  release(o: { keep: boolean; sound: boolean }): Promise<string[]>;
}

/** @param provider URL of the run's services for tests */
export async function leaseSystem(provider: string, settings: Settings): Promise<LeasedSystem> {
  const ask = async <T>(what: string, body: object): Promise<T> => {
    const response = await fetch(`${provider}systems/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return (JSON.parse(text) as { result?: unknown }).result as T;
  };
  const { id, demo, ...described } = await ask<Lease>('lease', settings);
  const call =
    <M extends keyof Calls>(method: M) =>
    (...args: Parameters<Calls[M]>): Promise<Awaited<ReturnType<Calls[M]>>> =>
      ask('call', { id, method, args });
  const [spawnExtra, stopExtra] = [call('spawnExtra'), call('stopExtra')];
  return {
    demo,
    system: {
      ...described,
      pid: call('pid'),
      start: call('start'),
      stop: call('stop'),
      restart: call('restart'),
      kill: call('kill'),
      ready: call('ready'),
      spawnExtra: async (...args) => {
        const extra = await spawnExtra(...args);
        return { ...extra, stop: () => stopExtra(extra.name) };
      },
    },
    broken: () => ask('broken', { id }),
    release: (o) => ask('release', { id, ...o }),
  };
}
