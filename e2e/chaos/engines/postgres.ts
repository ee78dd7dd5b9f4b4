import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { missingServers } from '../../start/stock-servers.ts';
import { StockPostgresPair } from '../../support/engines/stock-postgres-pair.ts';
import type { SystemOnEngine } from '../../support/engines/system-on.ts';
import type { Engine, Fault } from './engine.ts';

/** Milliseconds after which a primary counts as failed. */
const failedAfterMs = 1_500;

export async function postgres(): Promise<Engine> {
  if (missingServers.length > 0) throw new Error(`this machine lacks ${missingServers.join(' and ')}`);
  const pair = await StockPostgresPair.start();
  return {
    name: 'PostgreSQL, a primary with a synchronous standby',
    at: { databaseUrl: pair.url },
    faults: {
      'primary killed, and restarted as primary': failingOver(
        pair,
        () => pair.signal('primary', 'SIGKILL'),
        async () => {
          await sleep(failedAfterMs);
          await pair.promote();
          await pair.start('standby');
        },
      ),
      'primary hangs, and resumes as primary': failingOver(
        pair,
        () => pair.signal('primary', 'SIGSTOP'),
        async () => {
          await sleep(failedAfterMs);
          await pair.promote();
          await sleep(failedAfterMs);
          await pair.signal('standby', 'SIGCONT');
        },
      ),
      'switchover by an operator': failingOver(
        pair,
        () => pair.shutPrimaryDown(),
        () => pair.promote(),
      ),
      'asynchronous standby without the last changes': losingChanges(pair),
    },
    stop: () => pair.stop(),
  };
}

/** A failover that loses no acknowledged change; identity sources retry in the meantime. */
function failingOver(
  pair: StockPostgresPair,
  harm: () => Promise<unknown>,
  follow: () => Promise<unknown>,
): Fault {
  let before: Takeovers;
  return {
    again: true,
    prepare: async (on) => {
      await pair.replicate('synchronous');
      before = await takeovers(on);
    },
    strike: async (struck) => {
      await harm();
      struck();
      await follow();
    },
    broken: async (on) => {
      const { synchronous, asynchronous, lost } = await takeovers(on);
      const counted = [
        synchronous - before.synchronous,
        asynchronous - before.asynchronous,
        lost - before.lost,
      ];
      return [
        ...(await workingAtFormer(pair)),
        ...(counted.join() === '1,0,0' ? [] : [`takeovers, and what was lost by them: ${counted}`]),
      ];
    },
  };
}

/** A failover to an asynchronous standby that lacks the last offboardings. */
function losingChanges(pair: StockPostgresPair): Fault {
  let before: Takeovers;
  return {
    again: true,
    forgets: true,
    prepare: async (on) => {
      await pair.replicate('asynchronous');
      before = await takeovers(on);
    },
    strike: async (struck) => {
      await pair.cutReplication();
      // Users are offboarded in the meantime.
      await sleep(400);
      await pair.signal('primary', 'SIGKILL');
      struck();
      await sleep(failedAfterMs);
      await pair.promote();
    },
    broken: async (on) => {
      const { asynchronous, lost } = await takeovers(on);
      return asynchronous === before.asynchronous + 1 && lost > before.lost
        ? []
        : ['nobody says that changes were lost'];
    },
  };
}

/**
 * Returns the services that are connected to the former primary. A commit that waits there for a standby is not
 * acknowledged, so its connection does not count. Nor does one that its client has closed: PostgreSQL does not notice
 * that while the session waits for a lock, which such a commit may hold.
 */
async function workingAtFormer(pair: StockPostgresPair): Promise<string[]> {
  const connected = `SELECT application_name AS name, client_port AS "from", inet_server_port() AS "to"
    FROM pg_stat_activity
    WHERE application_name ~ '^ostiary (auth|directory|provisioning|listener)' AND wait_event IS DISTINCT FROM 'SyncRep'`;
  const ask = async (): Promise<string[]> => {
    const rows = await pair
      .query<{ name: string; from: number; to: number }>('standby', connected)
      .catch(() => []);
    const open = establishedConnections();
    return rows.filter(({ from, to }) => !open || open.has(`${from} ${to}`)).map(({ name }) => name);
  };
  // A measured limit of the chaos run, not a wait for a hang.
  const end = performance.now() + 5_000;
  let names = await ask();
  while (names.length > 0 && performance.now() < end) {
    await sleep(50);
    names = await ask();
  }
  return [...new Set(names)].map((name) => `${name} works at the former primary`);
}

/** Returns the ports of both ends of the connections that their clients have not closed; undefined if not on Linux. */
function establishedConnections(): ReadonlySet<string> | undefined {
  const established = '01';
  const found = new Set<string>();
  const files = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path));
  if (files.length === 0) return undefined;
  for (const file of files) {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, from = '', to = '', state] = line.trim().split(/\s+/);
      const [own, other] = [from, to].map((address) => Number.parseInt(address.split(':')[1] ?? '', 16));
      if (state === established) found.add(`${own} ${other}`);
    }
  }
  return found;
}

interface Takeovers {
  synchronous: number;
  asynchronous: number;
  lost: number;
}

/** Reads the takeovers that the directory has detected. */
async function takeovers({ system }: SystemOnEngine): Promise<Takeovers> {
  const lines = (await (await fetch(system.metricsUrls.directory)).text()).split('\n');
  const of = (metric: string): number =>
    Number(
      lines
        .find((line) => line.startsWith(metric))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  return {
    synchronous: of('database_takeovers_total{replication="synchronous"'),
    asynchronous: of('database_takeovers_total{replication="asynchronous"'),
    lost: of('directory_lost_changes_total'),
  };
}
