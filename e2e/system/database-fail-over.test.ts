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

/** Returns the directory's counters of takeovers. */
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

/** Load of clients that retry, and the acknowledged changes. */
class Load {
  readonly created: string[] = [];
  readonly left: string[] = [];
  #failed = false;
  /** Whether requests succeed again after a failure. */
  recovered = false;
  over = false;
  readonly #loops: Promise<void>[] = [];

  /** Creates users repeatedly. */
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

  /** Offboards a user, and retries until it is acknowledged. */
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

  /** Refreshes with the newest token. If an acknowledged rotation were lost, the next refresh would fail. */
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

/** Returns the number of reads by process that the replica answered, or the primary in its place. */
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

/** Queries of everything that is read from a replica. */
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

/** Waits until each of the three processes reads from the replica. */
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

test('While the standby does not replay, access is revoked immediately, a change is visible to its author, and no list is older than one second.', async () => {
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
  const [stayer, ...leavingUsers] = await Promise.all(Array.from({ length: 9 }, () => doors.employ()));
  if (!stayer) throw new Error('nobody was employed');
  const load = new Load();
  load.employing();
  load.refreshing(stayer);
  for (const [index, leaver] of leavingUsers.entries()) {
    if (index === 4) {
      await pair.primary.kill();
      // The failover takes a second to detect that the primary is down.
      void sleep(1_000).then(() => pair.promote());
    }
    load.offboarding(leaver);
    await sleep(60);
  }
  await eventually(
    async () => load.recovered && load.left.length === leavingUsers.length,
    (is) => is,
  );
  await sleep(500);
  await load.ended();

  for (const leaver of leavingUsers) await doors.expectClosed(leaver);
  await doors.expectOpen(stayer);
  const found = await Promise.all(load.created.map((id) => scim.call('GET', `/Users/${id}`)));
  expect(found.map(({ status }) => status)).toEqual(load.created.map(() => 200));
  expect(await figures()).toMatchObject({ synchronous: 1, asynchronous: 0, lost: 0 });
  await expectSound();
});

test('A former primary that restarts receives no writes.', async () => {
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

test('Changes that an asynchronous standby lacks are reported when it is promoted, and users offboarded in the lost changes are offboarded again.', async () => {
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
  // One for each change: three that end access, one reactivation, and a new user.
  expect(reported.lost - before.lost).toBe(5);
  // A reactivated user has no access from before the offboarding.
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
