import { type LoadResult, load, medianRun } from '../measure.ts';
import { startPeer } from '../peer.ts';
import { basic, pidOf, type Scenario } from '../scenario.ts';

/** Tokens per second and CPU per token, compared with oidc-provider; rounds alternate, so that drift affects both. */
export const clientCredentials: Scenario = {
  name: 'client_credentials',
  async run({ system, demo, seconds, rounds, log }) {
    const peer = await startPeer('oidc-provider');
    const form = 'application/x-www-form-urlencoded';
    const ours: LoadResult[] = [];
    const theirs: LoadResult[] = [];
    try {
      const one = (url: string, path: string, authorization: string, pid: number, time: number) =>
        load({
          url,
          seconds: time,
          pids: [pid],
          requests: [
            {
              method: 'POST',
              path,
              headers: { authorization, 'content-type': form },
              body: 'grant_type=client_credentials',
            },
          ],
        });
      const ostiary = (time: number) =>
        one(
          system.urls.auth,
          '/t/demo/token',
          basic(demo.tenants.demo.clients.admin),
          pidOf(system, 'auth'),
          time,
        );
      const provider = (time: number) =>
        one(
          peer.origin,
          '/token',
          basic({ client_id: 'bench', client_secret: 'bench-secret-bench-secret' }),
          peer.pid,
          time,
        );
      await ostiary(2);
      await provider(2);
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await ostiary(seconds));
        theirs.push(await provider(seconds));
        log(`round ${round + 1}: ${ours.at(-1)?.cpuMicros} µs, peer ${theirs.at(-1)?.cpuMicros} µs a token`);
      }
    } finally {
      await peer.stop();
    }
    const [own, other] = [medianRun(ours), medianRun(theirs)];
    return [
      { name: 'client_credentials, Ostiary (clients in PostgreSQL)', figures: { ...own } },
      { name: 'client_credentials, oidc-provider (all in memory)', figures: { ...other } },
      {
        name: 'tokens per CPU second, ratio to oidc-provider',
        figures: { ratio: (other.cpuMicros / own.cpuMicros).toFixed(2) },
      },
    ];
  },
};
