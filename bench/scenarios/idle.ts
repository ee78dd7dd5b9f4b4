import { type ChildProcess, spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IdleCost, IdleMeter, type ProcessCost } from '../../e2e/support/cost/idle-cost.ts';
import type { Row, Scenario } from '../scenario.ts';

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;

/** Minimum cost of a Node.js process with an HTTP server and a timer of 50 ms. */
const bareProgram = `require('node:http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1');
setInterval(() => {}, 50);`;

/** Seconds until the work of the start, or of the previous scenario, has ended. */
const quietSeconds = 30;

/** Cost of the system without requests, compared with as many minimal processes. */
export const idle: Scenario = {
  name: 'idle',
  async run({ system, seconds, rounds, log }) {
    const bare: ChildProcess[] = services.map(() =>
      spawn(process.execPath, ['-e', bareProgram], { stdio: 'ignore' }),
    );
    const pids = new Map(bare.map(({ pid }, index) => [`bare ${index}`, pid]));
    const meter = await IdleMeter.of(
      {
        pid: (name) => (pids.has(name) ? pids.get(name) : system.pid(name)),
        databaseUrl: system.databaseUrl,
        redisUrl: system.redisUrl,
      },
      [...services, 'valkey', ...pids.keys()],
    );
    try {
      log(`waiting ${quietSeconds} s for the system to be quiet`);
      await sleep(quietSeconds * 1_000);
      const costs: IdleCost[] = [];
      for (let round = 0; round < rounds; round += 1) costs.push(await meter.measure(2.5 * seconds));
      return rowsOf(costs, [...pids.keys()]);
    } finally {
      await meter.close();
      for (const child of bare) child.kill();
    }
  },
};

function rowsOf(costs: readonly IdleCost[], bare: readonly string[]): Row[] {
  const of = (names: readonly string[], figure: keyof ProcessCost): number =>
    median(
      costs.map(({ processes }) =>
        names.reduce((total, name) => total + (processes[name]?.[figure] ?? 0), 0),
      ),
    );
  const figuresOf = (names: readonly string[]): Row['figures'] => ({
    'CPU ms/s': of(names, 'cpuMs').toFixed(1),
    'wake-ups/s': of(names, 'wakes').toFixed(1),
    'of main threads': of(names, 'mainWakes').toFixed(1),
    'RSS MB': of(names, 'rssMb'),
    'PSS MB': of(names, 'pssMb'),
  });
  return [
    ...services.map((name) => ({ name: `idle, ${name}`, figures: figuresOf([name]) })),
    { name: 'idle, the four services', figures: figuresOf(services) },
    {
      name: 'idle, four bare processes with a timer each',
      figures: { ...figuresOf(bare), 'load of the machine': (loadavg()[0] ?? 0).toFixed(1) },
    },
    {
      name: 'idle, PostgreSQL and Valkey',
      figures: {
        'PostgreSQL ms/s': median(costs.map(({ postgresMs }) => postgresMs)).toFixed(1),
        'transactions/s': median(costs.map(({ transactions }) => transactions)).toFixed(1),
        'Valkey ms/s': of(['valkey'], 'cpuMs').toFixed(1),
        'commands/s': median(costs.map(({ commands }) => commands)).toFixed(1),
      },
    },
  ];
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
