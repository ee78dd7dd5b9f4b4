import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, createRedis, redisReady } from '@ostiary/service';
import pg from 'pg';

/** Measured processes and their databases. */
export interface IdleSystem {
  pid(name: string): number | undefined | Promise<number | undefined>;
  databaseUrl: string;
  redisUrl: string;
}

export interface ProcessCost {
  /** CPU time in milliseconds per second. */
  cpuMs: number;
  /** Number of wakeups per second of the main thread, and of all threads. */
  mainWakes: number;
  wakes: number;
  /** Megabytes of resident memory, and of its proportional share. */
  rssMb: number;
  pssMb: number;
}

export interface IdleCost {
  processes: Record<string, ProcessCost>;
  /** CPU time of PostgreSQL with its processes in milliseconds per second. */
  postgresMs: number;
  /** Transactions per second; a single statement counts as one. */
  transactions: number;
  /** Commands of Valkey per second, including those in scripts. */
  commands: number;
}

interface Reading {
  at: number;
  processes: Map<string, { cpuNs: number; mainWakes: number; wakes: number }>;
  postgresNs: number;
  transactions: number;
  commands: number;
}

const text = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

function threadCost(pid: number): { cpuNs: number; mainWakes: number; wakes: number } {
  const cost = { cpuNs: 0, mainWakes: 0, wakes: 0 };
  for (const thread of threadsOf(pid)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const wakes = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text(`${folder}/status`))?.[1] ?? 0);
    cost.cpuNs += Number(text(`${folder}/schedstat`).split(' ')[0] ?? 0);
    cost.wakes += wakes;
    if (Number(thread) === pid) cost.mainWakes = wakes;
  }
  return cost;
}

/** Returns a process and its descendants. */
function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/\) \S (\d+)/.exec(text(`/proc/${name}/stat`))?.[1]),
    }));
  const below = (pid: number): number[] => [
    pid,
    ...parents.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  return below(root);
}

function memoryOf(pid: number): Pick<ProcessCost, 'rssMb' | 'pssMb'> {
  const rollup = text(`/proc/${pid}/smaps_rollup`);
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024);
  return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss') };
}

const rate = (after: number, before: number, seconds: number): number =>
  Math.round(((after - before) / seconds) * 100) / 100;

/** Measures the cost of processes repeatedly, over permanent connections. Linux only. */
export class IdleMeter {
  readonly #pids: ReadonlyMap<string, number>;
  readonly #postgres: number | undefined;
  readonly #sql: pg.Client;
  readonly #redis: ReturnType<typeof createRedis>;

  private constructor(system: IdleSystem, pids: ReadonlyMap<string, number>, postgres: number | undefined) {
    this.#pids = pids;
    this.#postgres = postgres;
    this.#sql = new pg.Client({ connectionString: system.databaseUrl });
    this.#redis = createRedis(system.redisUrl, {
      name: 'idle-meter',
      log: createLog('idle-meter', 'silent'),
    });
  }

  /** @param names processes of the system */
  static async of(system: IdleSystem, names: readonly string[]): Promise<IdleMeter> {
    const pids = new Map<string, number>();
    for (const name of names) {
      const pid = await system.pid(name);
      if (pid === undefined) throw new Error(`${name} isn't running`);
      pids.set(name, pid);
    }
    const meter = new IdleMeter(system, pids, await system.pid('postgres'));
    await Promise.all([meter.#sql.connect(), redisReady(meter.#redis)]);
    return meter;
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await this.#sql.end();
  }

  /** Measures the cost during the next `seconds`. */
  async measure(seconds: number): Promise<IdleCost> {
    const before = await this.#read();
    await sleep(seconds * 1_000);
    const after = await this.#read();
    const passed = (after.at - before.at) / 1_000;
    const processes = [...this.#pids].map(([name, pid]): [string, ProcessCost] => {
      const [from, to] = [before.processes.get(name), after.processes.get(name)];
      if (!from || !to) throw new Error(`${name} wasn't read`);
      return [
        name,
        {
          cpuMs: rate(to.cpuNs / 1e6, from.cpuNs / 1e6, passed),
          mainWakes: rate(to.mainWakes, from.mainWakes, passed),
          wakes: rate(to.wakes, from.wakes, passed),
          ...memoryOf(pid),
        },
      ];
    });
    return {
      processes: Object.fromEntries(processes),
      postgresMs: rate(after.postgresNs / 1e6, before.postgresNs / 1e6, passed),
      transactions: rate(after.transactions, before.transactions, passed),
      commands: rate(after.commands, before.commands, passed),
    };
  }

  async #read(): Promise<Reading> {
    const { rows } = await this.#sql.query<{ total: string }>(
      'SELECT sum(xact_commit + xact_rollback) AS total FROM pg_stat_database',
    );
    const stats = await this.#redis.info('stats');
    const tree = this.#postgres === undefined ? [] : treeOf(this.#postgres);
    return {
      at: performance.now(),
      processes: new Map([...this.#pids].map(([name, pid]) => [name, threadCost(pid)])),
      postgresNs: tree.reduce((total, pid) => total + threadCost(pid).cpuNs, 0),
      transactions: Number(rows[0]?.total ?? 0),
      commands: Number(/^total_commands_processed:(\d+)/m.exec(stats)?.[1] ?? 0),
    };
  }
}
