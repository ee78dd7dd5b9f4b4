import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { unique } from '../support/demo.ts';
import { Doors, type Person } from '../support/doors.ts';
import { listen } from '../support/live.ts';
import { briefStaleness, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

const repository = join(import.meta.dirname, '..', '..');
/** The only file that listens: all uses of `Database.listen` share its connection, one per process. */
const listener = 'libs/database/src/connection/listener.ts';
const boundMs = Number(briefStaleness.REVOCATION_MAX_STALENESS_SECONDS) * 1_000;
const cutEveryMs = 100;

let own: OwnSystem;
let database: pg.Client;
let others: { url: string; stop(): Promise<void> }[] = [];
let scim: ScimClient;
let doors: Doors;

beforeAll(async () => {
  own = await ownSystem({ env: briefStaleness });
  // Second processes, which are notified of changes of the first ones only by LISTEN.
  others = [await own.system.spawnExtra('auth'), await own.system.spawnExtra('directory')];
  database = new pg.Client({ connectionString: own.system.databaseUrl });
  await database.connect();
  const { demo } = own.demo.tenants;
  scim = new ScimClient(demo, demo.clients.scim.token);
  doors = new Doors(own.demo, demo, scim);
});
afterAll(async () => {
  await database?.end();
  for (const other of others) await other.stop();
  await own?.stop();
});

async function listening(): Promise<number[]> {
  const { rows } = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'ostiary listener' ORDER BY pid`,
  );
  return rows.map(({ pid }) => pid);
}

/** Ends all listening connections repeatedly. */
function cutting(): { stop(): Promise<number> } {
  const over = new AbortController();
  const cut = async (): Promise<number> => {
    let ended = 0;
    while (!over.signal.aborted) {
      const { rowCount } = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ostiary listener'`,
      );
      ended += rowCount ?? 0;
      await sleep(cutEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
    return ended;
  };
  const running = cut();
  return {
    stop() {
      over.abort();
      return running;
    },
  };
}

const userinfoAt = async (origin: string, { signedIn }: Person, tenant = 'demo') => {
  const headers = { authorization: `Bearer ${signedIn.tokens.access_token}` };
  const answer = await fetch(`${origin}/t/${tenant}/userinfo`, { headers });
  return { status: answer.status, body: (await answer.json()) as { name?: string } };
};

const authOrigins = (): string[] => [own.system.urls.auth, others[0]?.url ?? ''];

/** Returns requests to each access path, at each process that verifies it. */
function accessPathsOf(person: Person): Record<string, () => Promise<number>> {
  return {
    graph: () => doors.graph(person),
    'SCIM /Me': () => doors.scim(person),
    ...Object.fromEntries(
      authOrigins().map((origin, n) => [
        `userinfo at auth ${n + 1}`,
        async () => (await userinfoAt(origin, person)).status,
      ]),
    ),
  };
}

/** @returns the access paths that were open for longer than the bound */
async function leave(person: Person): Promise<string[]> {
  const operation = { op: 'replace', path: 'active', value: false };
  expect((await scim.patch(`/Users/${person.id}`, [operation])).status).toBe(200);
  const acknowledged = performance.now();
  const late = Object.entries(accessPathsOf(person)).map(async ([door, ask]) => {
    while ((await ask()) !== 401) {
      if (performance.now() - acknowledged > boundMs) return [door];
    }
    return [];
  });
  return (await Promise.all(late)).flat();
}

/** Renames a user, and waits until every process of auth returns the new name. */
async function rename(person: Person): Promise<void> {
  const name = unique('Name');
  const operation = { op: 'replace', path: 'displayName', value: name };
  expect((await scim.patch(`/Users/${person.id}`, [operation])).status).toBe(200);
  for (const origin of authOrigins()) {
    await eventually(
      async () => (await userinfoAt(origin, person)).body.name,
      (answered) => answered === name,
    );
  }
}

/** Sends requests of a user of the other tenant to each access path during the test. */
async function neighbour(): Promise<{ stop(): Promise<number[]> }> {
  const { rival } = own.demo.tenants;
  const theirs = new Doors(own.demo, rival, new ScimClient(rival, rival.clients.scim.token));
  const person = await theirs.employ();
  const answers = new Set<number>();
  let over = false;
  const asking = (async () => {
    while (!over) {
      answers.add(await theirs.graph(person));
      for (const origin of authOrigins()) answers.add((await userinfoAt(origin, person, 'rival')).status);
    }
  })();
  return {
    async stop() {
      over = true;
      await asking;
      return [...answers];
    },
  };
}

test('All LISTEN statements use the connections that are cut in this test.', async () => {
  const sources = globSync('{libs,services}/**/src/**/*.ts', {
    cwd: repository,
    exclude: ['**/generated/**'],
  });
  const gateway = globSync('gateway/src/**/*.ts', { cwd: repository });
  const listens = [...sources, ...gateway].filter((file) =>
    /[`'"]\s*(?:UN)?LISTEN\b/.test(readFileSync(join(repository, file), 'utf8')),
  );
  expect(listens).toEqual([listener]);
  const { rows } = await database.query(
    `SELECT application_name FROM pg_stat_activity WHERE query ~* '^\\s*LISTEN' AND application_name <> 'ostiary listener'`,
  );
  expect(rows).toEqual([]);
  // Two processes of auth, two of directory, one of provisioning.
  expect(await listening()).toHaveLength(5);
});

test('While every listening connection is cut repeatedly, access is revoked in time, all changes arrive, and no event is lost.', async () => {
  const { demo } = own.demo.tenants;
  const admin = await adminToken(demo);
  const query = 'subscription { userChanged(kinds: [DEACTIVATED]) { userId } }';
  const subscriber = await listen(own.demo.graphql, admin, { query });
  const stayer = await doors.employ();
  const leaving: Person[] = [];
  for (let n = 0; n < 8; n += 1) leaving.push(await doors.employ());
  for (const person of [stayer, ...leaving]) {
    for (const ask of Object.values(accessPathsOf(person))) expect(await ask()).not.toBe(401);
  }
  const rival = await neighbour();
  const before = await listening();
  const cuts = cutting();
  try {
    for (const person of leaving.slice(0, 4)) {
      expect(await Promise.all([leave(person), rename(stayer)])).toEqual([[], undefined]);
    }
    expect(await Promise.all(leaving.slice(4).map(leave))).toEqual([[], [], [], []]);
    for (const { id } of leaving) await subscriber.find(({ data }) => data?.userChanged.userId === id);
  } finally {
    subscriber.stop();
    // Each connection was cut more than once.
    expect(await cuts.stop()).toBeGreaterThan(3 * before.length);
    expect(await rival.stop()).toEqual([200]);
  }
  // The same number of connections is restored automatically, all of them new, and they work.
  const now = await eventually(listening, (pids) => pids.length === before.length);
  expect(now.filter((pid) => before.includes(pid))).toEqual([]);
  await rename(stayer);
  for (const person of leaving) await doors.expectDead(person);
});
