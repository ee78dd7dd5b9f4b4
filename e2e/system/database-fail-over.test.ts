import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import * as client from 'openid-client';
import { audit } from '../invariants/audit.ts';
import { unique } from '../support/demo.ts';
import { Doors, type Person } from '../support/doors.ts';
import { PostgresPair } from '../support/engines/postgres-standby.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';
import { endOwn, preparedBy, type StartedSystem, startOwn } from '../support/systems/start-own.ts';

let pair: PostgresPair;
let own: StartedSystem;
let scim: ScimClient;
let doors: Doors;

beforeAll(async () => {
  pair = await PostgresPair.start('synchronous');
  const { auth } = preparedBy(process.env);
  own = await startOwn(auth === undefined ? {} : { auth }, {
    databaseUrl: pair.url,
    env: { DATABASE_REPLICA_URL: pair.url.replace('=read-write', '=prefer-standby') },
  });
  scim = new ScimClient(tenant(), tenant().clients.scim.token);
  doors = new Doors(own.demo, tenant(), scim);
});

afterAll(async () => {
  if (own) await endOwn(own);
  await pair?.stop();
});

const tenant = () => own.demo.tenants.demo;

async function expectSound(): Promise<void> {
  const { checks } = await audit(pair.url, { settleMs: 8_000 });
  expect(checks.filter(({ flaws }) => flaws > 0)).toEqual([]);
}

/** What the directory counts of takeovers. */
async function figures(): Promise<{ synchronous: number; asynchronous: number; lost: number }> {
  const text = await (await fetch(own.system.metricsUrls.directory)).text();
  const of = (start: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(start))
        ?.split(' ')
        .at(-1),
    );
  return {
    synchronous: of('database_takeovers_total{replication="synchronous"'),
    asynchronous: of('database_takeovers_total{replication="asynchronous"'),
    lost: of('directory_lost_changes_total'),
  };
}

/** What is asked again and again, as clients do that try once more, and what was acknowledged. */
class Load {
  readonly created: string[] = [];
  readonly left: string[] = [];
  #failed = false;
  /** Whether requests succeed again after one that failed. */
  recovered = false;
  over = false;
  readonly #loops: Promise<void>[] = [];

  /** Somebody new, again and again. */
  employing(): void {
    this.#loops.push(
      (async () => {
        while (!this.over) {
          const made = await scim.createUser({ userName: unique('newcomer') }).catch(() => undefined);
          if (made) this.created.push(made.id);
          this.#note(made !== undefined);
          await sleep(10);
        }
      })(),
    );
  }

  /** Offboards somebody; again until it is acknowledged. */
  offboarding({ id }: Person): void {
    this.#loops.push(
      (async () => {
        for (;;) {
          const answer = await scim
            .patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])
            .catch(() => undefined);
          if (answer?.status === 200) break;
          await sleep(50);
        }
        this.left.push(id);
      })(),
    );
  }

  /** Refreshes with the newest token that was handed out: one that was acknowledged and is lost would be the end of it. */
  refreshing(person: Person): void {
    this.#loops.push(
      (async () => {
        const { config, tokens } = person.signedIn;
        while (!this.over) {
          const refreshed = await client
            .refreshTokenGrant(config, tokens.refresh_token ?? '')
            .catch((error: { error?: string }) => {
              if (error.error === 'invalid_grant') throw new Error('a refresh token was lost');
              return undefined;
            });
          if (refreshed) Object.assign(tokens, refreshed);
          await sleep(20);
        }
      })(),
    );
  }

  async ended(): Promise<void> {
    this.over = true;
    await Promise.all(this.#loops);
  }

  #note(worked: boolean): void {
    if (!worked) {
      this.#failed = true;
      this.recovered = false;
    } else {
      this.recovered = this.#failed;
    }
  }
}

/** How many reads the replica has answered, or the primary for want of it, by process. */
async function replicaReads(outcome: string): Promise<Record<string, number>> {
  const names = ['auth', 'directory', 'provisioning'] as const;
  const counted = names.map(async (name) => {
    const text = await (await fetch(own.system.metricsUrls[name])).text();
    const line = `database_replica_reads_total{outcome="${outcome}"`;
    const found = text.split('\n').find((each) => each.startsWith(line));
    return [name, Number(found?.split(' ').at(-1))] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** Everything that a replica may be read for. */
const lists = `{ auditLog(first: 5) { totalCount edges { node { id } } } securityLog(first: 5) { totalCount edges { node { id } } }
  deliveries(first: 5) { totalCount } provisioningLog(first: 5) { totalCount edges { node { id } } } connectorLog(first: 5) { totalCount }
  statistics { people { total } } signInStatistics { live { sessions } days(days: 2) { date } } }`;

const entriesAbout = async (token: string, id: string): Promise<number> => {
  const { data, errors } = await graph(
    own.demo,
    token,
    'query ($id: ID!) { auditLog(first: 20, filter: { resourceId: $id }) { edges { node { id } } } }',
    { id },
  );
  expect(errors).toEqual([]);
  return data.auditLog.edges.length;
};

/** The replica answers all of its reads in each of the three processes. */
async function readFromReplica(token: string): Promise<void> {
  const before = await replicaReads('replica');
  await eventually(
    async () => {
      const { errors } = await graph(own.demo, token, lists);
      expect(errors).toEqual([]);
      return replicaReads('replica');
    },
    (now) => Object.entries(now).every(([name, reads]) => reads > (before[name] ?? 0)),
  );
}

test('Logs, deliveries and statistics are read from the standby, and another tenant sees nothing of them there.', async () => {
  const [admin, rival] = await Promise.all([adminToken(tenant()), adminToken(own.demo.tenants.rival)]);
  const { id } = await scim.createUser({ userName: unique('newcomer') });
  await readFromReplica(admin);
  const connections =
    "SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'ostiary % replica' ORDER BY 1";
  expect(await pair.standby.query(connections)).toEqual(
    ['auth', 'directory', 'provisioning'].map((name) => ({ name: `ostiary ${name} replica` })),
  );
  expect(await pair.primary.query(connections)).toEqual([]);
  const begun = await replicaReads('replica');
  await eventually(
    () => entriesAbout(admin, id),
    (entries) => entries === 1,
  );
  for (let n = 0; n < 5; n += 1) expect(await entriesAbout(rival, id)).toBe(0);
  const { directory = 0 } = await replicaReads('replica');
  expect(directory).toBeGreaterThan(begun.directory ?? 0);
});

test('While the standby replays nothing, doors close at once, a change is seen by its author, and no list is older than a second.', async () => {
  const admin = await adminToken(tenant());
  const leaver = await doors.employ();
  await readFromReplica(admin);
  const behind = await replicaReads('behind');
  await pair.standby.query('SELECT pg_wal_replay_pause()');
  try {
    await entriesAbout(admin, leaver.id);
    const created = await graph(
      own.demo,
      admin,
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }',
      { input: { displayName: unique('newcomers') } },
    );
    expect(await entriesAbout(admin, created.data?.createGroup.group.id)).toBe(1);

    const before = await entriesAbout(admin, leaver.id);
    const left = await scim.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'active', value: false }]);
    const acknowledgedAt = performance.now();
    expect(left.status).toBe(200);
    await eventually(
      () => Promise.all([doors.graph(leaver), doors.userinfo(leaver), doors.scim(leaver)]),
      (statuses) => statuses.every((status) => status === 401),
    );
    await doors.expectClosed(leaver);
    await sleep(Math.max(0, acknowledgedAt + 1_000 - performance.now()));
    expect(await entriesAbout(admin, leaver.id)).toBe(before + 1);
    expect((await replicaReads('behind')).directory).toBeGreaterThan(behind.directory ?? 0);
  } finally {
    await pair.standby.query('SELECT pg_wal_replay_resume()');
  }
  await readFromReplica(admin);
});

test('A standby that is promoted during offboardings has everything that was acknowledged.', async () => {
  const [stayer, ...leavers] = await Promise.all(Array.from({ length: 9 }, () => doors.employ()));
  if (!stayer) throw new Error('nobody was employed');
  const load = new Load();
  load.employing();
  load.refreshing(stayer);
  for (const [index, leaver] of leavers.entries()) {
    if (index === 4) {
      await pair.primary.kill();
      // What decides that the primary is dead takes its time.
      void sleep(1_000).then(() => pair.promote());
    }
    load.offboarding(leaver);
    await sleep(60);
  }
  await eventually(
    async () => load.recovered && load.left.length === leavers.length,
    (is) => is,
  );
  await sleep(500);
  await load.ended();

  for (const leaver of leavers) await doors.expectClosed(leaver);
  await doors.expectOpen(stayer);
  const found = await Promise.all(load.created.map((id) => scim.call('GET', `/Users/${id}`)));
  expect(found.map(({ status }) => status)).toEqual(load.created.map(() => 200));
  expect(await figures()).toMatchObject({ synchronous: 1, asynchronous: 0, lost: 0 });
  await expectSound();
});

test('A former primary that comes back is written to by nobody.', async () => {
  await pair.primary.start();
  const made = [];
  for (let n = 0; n < 20; n += 1) made.push((await scim.createUser({ userName: unique('newcomer') })).id);
  const { stop } = await own.system.spawnExtra('directory');
  try {
    const count = `SELECT count(*)::int AS there FROM directory.users WHERE id IN ('${made.join("','")}')`;
    expect(await pair.standby.query(count)).toEqual([{ there: 20 }]);
    expect(await pair.primary.query(count)).toEqual([{ there: 0 }]);
    expect(
      await pair.primary.query(
        "SELECT pid FROM pg_stat_activity WHERE application_name ~ '^ostiary (auth|directory|provisioning|listener)'",
      ),
    ).toEqual([]);
  } finally {
    await stop();
  }
});

test('What an asynchronous standby lacks is reported when it is promoted, and people who had left by it leave again.', async () => {
  await pair.turnRound('asynchronous');
  const before = await figures();
  const [deactivated, deleted, returned, early, stays] = await Promise.all(
    Array.from({ length: 5 }, () => doors.employ()),
  );
  if (!deactivated || !deleted || !returned || !early || !stays) throw new Error('nobody was employed');
  const setActive = async ({ id }: Person, value: boolean) => {
    const { status } = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value }]);
    expect(status).toBe(200);
  };
  await setActive(early, false);
  await pair.cutReplication();
  await setActive(deactivated, false);
  expect((await scim.call('DELETE', `/Users/${deleted.id}`)).status).toBe(204);
  await setActive(returned, false);
  await setActive(returned, true);
  await scim.createUser({ userName: unique('newcomer') });
  await doors.expectClosed(deactivated);
  await doors.expectClosed(deleted);

  await pair.primary.kill();
  await pair.promote();
  const reported = await eventually(figures, ({ lost }) => lost > before.lost);
  for (const gone of [deactivated, deleted, early]) await doors.expectClosed(gone);
  expect(reported).toMatchObject({ asynchronous: before.asynchronous + 1, synchronous: before.synchronous });
  // One for each change: three that end access, one that gives it back, and a newcomer.
  expect(reported.lost - before.lost).toBe(5);
  // Who came back has none of what they had before they left.
  await eventually(
    () => doors.graph(returned),
    (status) => status === 401,
  );
  await doors.expectDead(returned);
  await doors.expectOpen(stays);
  expect((await scim.call('GET', `/Users/${deactivated.id}`)).body).toMatchObject({ active: false });
  expect((await scim.call('GET', `/Users/${deleted.id}`)).status).toBe(404);
  expect((await scim.call('GET', `/Users/${returned.id}`)).body).toMatchObject({ active: true });
  await expectSound();
});
