import { type LoadResult, load, medianRun } from '../measure.ts';
import { basic, pidOf, type Row, type Scenario } from '../scenario.ts';

const sizes = [1, 2, 4] as const;
/** Requests under way, spread over the processes: the load is the same however many there are. */
const connections = 16;

/** What a token costs when one, two and four authorization servers share the load: what they share must not cost more for it. */
export const scaleOut: Scenario = {
  name: 'scale_out',
  async run({ system, demo, seconds, rounds, log }) {
    const extra = [];
    while (extra.length + 1 < Math.max(...sizes)) extra.push(await system.spawnExtra('auth'));
    const processes = [
      { url: system.urls.auth, pid: pidOf(system, 'auth') },
      ...extra.map(({ name, url }) => ({ url, pid: pidOf(system, name) })),
    ];
    const authorization = basic(demo.tenants.demo.clients.admin);
    const tokens = async (size: number, time: number): Promise<LoadResult> => {
      const results = await Promise.all(
        processes.slice(0, size).map(({ url, pid }) =>
          load({
            url,
            seconds: time,
            connections: connections / size,
            pids: [pid],
            requests: [
              {
                method: 'POST',
                path: '/t/demo/token',
                headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
                body: 'grant_type=client_credentials',
              },
            ],
          }),
        ),
      );
      return together(results);
    };
    try {
      await tokens(Math.max(...sizes), 2);
      const runs = new Map<number, LoadResult[]>(sizes.map((size) => [size, []]));
      for (let round = 0; round < rounds; round += 1) {
        for (const size of sizes) runs.get(size)?.push(await tokens(size, seconds));
        log(
          `round ${round + 1}: ${sizes.map((size) => runs.get(size)?.at(-1)?.cpuMicros).join(', ')} µs a token`,
        );
      }
      return rowsOf(sizes.map((size) => ({ size, result: medianRun(runs.get(size) ?? []) })));
    } finally {
      for (const one of extra) await one.stop();
    }
  },
};

/** Several processes under load at the same time, as one. */
function together(results: readonly LoadResult[]): LoadResult {
  const sum = (of: (result: LoadResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const perSecond = sum((result) => result.perSecond);
  const most = (of: (result: LoadResult) => number) => Math.max(...results.map(of));
  return {
    perSecond,
    cpuMicros: Math.round(sum((result) => result.cpuMicros * result.perSecond) / perSecond),
    storeMicros: 0,
    p50: most((result) => result.p50),
    p99: most((result) => result.p99),
    failures: sum((result) => result.failures),
  };
}

function rowsOf(measured: readonly { size: number; result: LoadResult }[]): Row[] {
  const alone = measured[0]?.result.cpuMicros ?? Number.NaN;
  return measured.map(({ size, result }) => ({
    name: `client_credentials over ${size} authorization ${size === 1 ? 'server' : 'servers'}`,
    figures: { ...result, 'CPU a token, ratio to one': (result.cpuMicros / alone).toFixed(2) },
  }));
}
