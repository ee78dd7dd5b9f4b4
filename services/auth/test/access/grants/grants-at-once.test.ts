import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sentDuring } from '@ostiary/database/testing';
import { uuidv7 } from '@ostiary/service';
import pg from 'pg';
import type { GrantContent, GrantStore } from '../../../src/access/grants/domain/grants.ts';
import { publicClient, register, signedIn } from '../../support/running-auth.ts';
import { auth, backend, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

// Grants whose codes are redeemed concurrently are written by one statement, with the same result as separate ones.

setUpTwoProcesses();

const apps: Record<string, string> = {};

beforeAll(async () => {
  for (const tenant of ['demo', 'rival'])
    apps[tenant] = (await register(auth, publicClient, tenant)).client.clientId;
});

type Options = Parameters<GrantStore['open']>[1];
type Opened = Awaited<ReturnType<GrantStore['open']>>;

/** Creates the content of a code for a user who has just signed in. */
async function agreed(tenant = 'demo', changes: Partial<GrantContent> = {}): Promise<GrantContent> {
  return {
    ...(await signedIn(auth, { tenant })),
    grantId: uuidv7(),
    clientId: apps[tenant] as string,
    clientEpoch: 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes: ['openid', 'offline_access'],
    resources: [],
    authTime: 1_790_000_000,
    amr: ['pwd'],
    ...changes,
  };
}

const several = (count: number, tenant?: string): Promise<GrantContent[]> =>
  Promise.all(Array.from({ length: count }, () => agreed(tenant)));

const family = () => ({ id: uuidv7(), salt: randomBytes(16), idleSeconds: 600 });
const open = (content: GrantContent, at = auth, o: Partial<Options> = {}): Promise<Opened> =>
  at.deps.grantStore.open(content, { lifetimeSeconds: 600, family: family(), ...o });
const outcomes = (openings: readonly Opened[]): string[] => openings.map(({ outcome }) => outcome);

const rows = async (text: string, ids: readonly string[]): Promise<object[]> =>
  (await auth.database.sql.query<object>(text, [ids])).rows;

const grantsOf = (contents: readonly GrantContent[]) =>
  rows(
    'SELECT id FROM auth.grants WHERE id = ANY($1::uuid[]) AND revoked_at IS NULL',
    contents.map(({ grantId }) => grantId),
  );

/** Opens a transaction of another process, which the test ends. */
async function elsewhere(work: (client: pg.Client) => Promise<unknown>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: backend.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await work(client);
  return client;
}

/** Returns the number of grants that were written separately from their batch, by reason. */
async function separations(at = auth): Promise<Record<'left_out' | 'refused', number>> {
  const metric = await at.deps.kit.metrics.getSingleMetric('auth_grants_separated_total')?.get();
  const count = (reason: string) => metric?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
  return { left_out: count('left_out'), refused: count('refused') };
}

test('Grants of two tenants that are opened concurrently equal separate ones, and cost one statement.', async () => {
  const acr = 'urn:ostiary:acr:mfa';
  const claims = { idToken: ['email'], userinfo: ['name', 'locale'] };
  const kinds: [Partial<GrantContent>, Partial<Options>][] = [
    [{}, {}],
    [{ acr, claims, resources: ['https://a.example/{"}', 'https://b.example/'] }, { notifiedOfLogout: true }],
    [{ amr: [], scopes: ['openid', 'ü\\"\u2028'] }, { family: undefined } as never],
    [{}, { family: { ...family(), dpopJkt: 'thumbprint' } }],
  ];
  const written = async (statement: 'each alone' | 'together') => {
    const contents: GrantContent[] = [];
    for (const tenant of ['demo', 'rival'])
      for (const [changes] of kinds) contents.push(await agreed(tenant, changes));
    await auth.database.sql.query(
      'INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ($1, $2, $3)',
      ['rival', contents[4]?.subjectId, 'auditor'],
    );
    let openings: Opened[] = [];
    const optionsOf = (index: number) => {
      const [, o] = kinds[index % kinds.length] as (typeof kinds)[number];
      return o.family ? { ...o, family: { ...o.family, id: uuidv7() } } : o;
    };
    const sent = await sentDuring(
      async () => {
        if (statement === 'together')
          openings = await Promise.all(contents.map((one, index) => open(one, auth, optionsOf(index))));
        else
          for (const [index, one] of contents.entries())
            openings.push(await open(one, auth, optionsOf(index)));
      },
      () => true,
    );
    const statements = sent.filter(({ text }) => text.includes('INSERT INTO auth.grants')).length;
    const ids = contents.map(({ grantId }) => grantId);
    const text = `SELECT to_jsonb(g) - 'id' - 'subject_id' - 'session_id' - 'created_at' - 'expires_at' - 'client_id' AS grant,
        g.expires_at - g.created_at AS lifetime, g.session_id = ANY(SELECT id FROM auth.sessions WHERE subject_id = g.subject_id) AS own,
        f.client_id = g.client_id AS client, f.generation, length(f.salt) AS salt, f.dpop_jkt,
        f.idle_expires_at = f.absolute_expires_at AS idle, f.absolute_expires_at = g.expires_at AS absolute,
        (SELECT count(*) FROM auth.session_clients n WHERE n.session_id = g.session_id AND n.client_id = g.client_id) AS noted
      FROM unnest($1::uuid[]) WITH ORDINALITY AS asked(id, n) JOIN auth.grants g USING (id)
      LEFT JOIN auth.refresh_families f ON f.tenant = g.tenant AND f.grant_id = g.id ORDER BY n`;
    const answers = openings.map((one) => {
      if (one.outcome === 'refused') return one;
      const { grantId, subjectId, sessionId, expiresAt, ...grant } = one.grant;
      const content = contents.find((other) => other.grantId === grantId);
      const own = content?.subjectId === subjectId && content.sessionId === sessionId;
      return { outcome: one.outcome, own, living: expiresAt > Date.now() / 1000 + 500, grant };
    });
    return { statements, rows: await rows(text, ids), answers };
  };
  const alone = await written('each alone');
  const together = await written('together');
  expect(alone.statements).toBe(8);
  expect(together.statements).toBe(1);
  expect(alone.rows).toHaveLength(8);
  expect(together.rows).toEqual(alone.rows);
  expect(together.answers).toEqual(alone.answers);
  expect(together.answers[4]).toMatchObject({ outcome: 'opened', own: true, grant: { roles: ['auditor'] } });
});

/** Reasons for a refusal: preconditions that no longer hold, or never did. */
const refusals: Record<
  string,
  (content: GrantContent) => Promise<Partial<GrantContent>> | Partial<GrantContent>
> = {
  'a person who was deactivated': (content) => changed('subjects', 'active = false', content.subjectId),
  'a person who was deleted': (content) => changed('subjects', 'deleted = true', content.subjectId),
  'a person who left and came back': (content) => changed('subjects', 'epoch = 1', content.subjectId),
  'a consent that was withdrawn': (content) =>
    changed('subjects', `withdrawals = jsonb_build_object('${content.clientId}', 1)`, content.subjectId),
  'a session that ended': (content) => changed('sessions', 'revoked_at = now()', content.sessionId),
  'a client that was disabled and came back': () => ({ clientEpoch: -1 }),
  'a client that does not exist': () => ({ clientId: 'nobody' }),
  'somebody else’s session': async () => ({ sessionId: (await agreed()).sessionId }),
  'a session of another tenant': async () => ({ sessionId: (await agreed('rival')).sessionId }),
  'a person of another tenant': async () => ({ subjectId: (await agreed('rival')).subjectId }),
  'a client of another tenant': () => ({ clientId: apps.rival as string }),
  'another tenant': () => ({ tenant: 'rival' }),
};

async function changed(table: string, change: string, id: string): Promise<object> {
  await auth.database.sql.query(`UPDATE auth.${table} SET ${change} WHERE id = $1`, [id]);
  return {};
}

describe('preconditions of a grant', () => {
  test('Of grants that are opened concurrently, exactly those are refused whose user, session or client has changed.', async () => {
    const contents: GrantContent[] = [];
    for (const spoil of Object.values(refusals)) {
      const content = await agreed();
      contents.push(await agreed(), { ...content, ...(await spoil(content)) });
    }
    const openings = await Promise.all(contents.map((content) => open(content)));
    expect(outcomes(openings)).toEqual(Object.keys(refusals).flatMap(() => ['opened', 'refused']));
    expect(await grantsOf(contents)).toHaveLength(Object.keys(refusals).length);
  });

  test.each([
    ['committed', 'COMMIT', 'refused'],
    ['undone', 'ROLLBACK', 'opened'],
  ])(
    'A concurrent offboarding does not delay other grants, and its state %s decides.',
    async (_name, end, outcome) => {
      const [leaving, ...others] = (await several(8)) as [GrantContent, ...GrantContent[]];
      const departure = await elsewhere((client) =>
        client.query('UPDATE auth.subjects SET active = false, epoch = epoch + 1 WHERE id = $1', [
          leaving.subjectId,
        ]),
      );
      const before = await separations();
      const waiting = open(leaving);
      const openings = await Promise.all(others.map((content) => open(content)));
      expect(outcomes(openings)).toEqual(others.map(() => 'opened'));
      expect(await grantsOf([leaving])).toEqual([]);
      expect(await separations()).toEqual({ ...before, left_out: before.left_out + 1 });
      await departure.query(end);
      await departure.end();
      expect((await waiting).outcome).toBe(outcome);
      expect(await grantsOf([leaving])).toHaveLength(outcome === 'opened' ? 1 : 0);
    },
  );

  test('An offboarding during grants at both processes leaves none of the user’s grants live.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await agreed();
      const theirs = Array.from({ length: 12 }, () => ({ ...person, grantId: uuidv7() }));
      const others = await several(6, 'rival');
      const opening = [...theirs, ...others].map((content, index) =>
        open(content, index % 2 === 0 ? auth : twin),
      );
      const leaving = auth.database.transaction(async (tx) => {
        await tx.query('UPDATE auth.subjects SET active = false, epoch = epoch + 1 WHERE id = $1', [
          person.subjectId,
        ]);
        // The offboarding revokes the grants that it sees (`closeAccessPathsOf`).
        await tx.query('UPDATE auth.grants SET revoked_at = now() WHERE subject_id = $1', [person.subjectId]);
      });
      const openings = await Promise.all(opening);
      await leaving;
      expect(outcomes(openings).slice(theirs.length)).toEqual(others.map(() => 'opened'));
      expect(await grantsOf(theirs)).toEqual([]);
    }
  });
});

describe('isolation within a batch', () => {
  test('A grant with a value that PostgreSQL rejects fails alone.', async () => {
    const contents = await several(5);
    const bad = await agreed('demo', { acr: 'a\u0000b' });
    const before = await separations();
    const [failed, ...openings] = await Promise.allSettled(
      [bad, ...contents].map((content) => open(content)),
    );
    expect(failed?.status).toBe('rejected');
    expect(openings.map((one) => one.status === 'fulfilled' && one.value.outcome)).toEqual(
      contents.map(() => 'opened'),
    );
    expect(await separations()).toEqual({ ...before, refused: before.refused + 6 });
  });

  test('A concurrent replay of one code delays the others only briefly, and its grant is revoked.', async () => {
    const [replayed, ...others] = (await several(6)) as [GrantContent, ...GrantContent[]];
    const replay = await elsewhere((client) =>
      client.query(
        `INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, expires_at, revoked_at)
         VALUES ('demo', $1, $2, $3, 0, 0, now() + interval '1 day', now())`,
        [replayed.grantId, replayed.clientId, replayed.subjectId],
      ),
    );
    const waiting = open(replayed);
    const openings = await Promise.all(others.map((content) => open(content)));
    expect(outcomes(openings)).toEqual(others.map(() => 'opened'));
    await replay.query('COMMIT');
    await replay.end();
    expect((await waiting).outcome).toBe('stillborn');
    expect(await grantsOf([replayed])).toEqual([]);
  });

  test('Of twenty parallel redemptions of one grant at two processes, among others, one opens it, and it is revoked in the end.', async () => {
    const content = await agreed();
    const others = await several(20, 'rival');
    const openings = await Promise.all(
      [...Array.from({ length: 20 }, () => content), ...others].map((one, index) =>
        open(one, index % 2 === 0 ? auth : twin),
      ),
    );
    const ofOne = outcomes(openings).slice(0, 20);
    expect(ofOne.filter((outcome) => outcome === 'opened')).toHaveLength(1);
    expect(ofOne.filter((outcome) => outcome === 'refused')).toHaveLength(19);
    expect(outcomes(openings).slice(20)).toEqual(others.map(() => 'opened'));
    expect(await grantsOf([content])).toEqual([]);
  });

  test('When the connection is lost during the statement, all grants fail, none is written, and none is retried.', async () => {
    const contents = await several(6);
    const blocker = await elsewhere((client) => client.query('LOCK TABLE auth.grants IN SHARE MODE'));
    const openings = Promise.allSettled(contents.map((content) => open(content)));
    const waiting = `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%jsonb_to_recordset%'`;
    let ended = 0;
    for (let tries = 0; ended === 0 && tries < 200; tries += 1) {
      ended = (await auth.database.sql.query(waiting)).rowCount;
      if (ended === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(ended).toBe(1);
    await blocker.query('COMMIT');
    await blocker.end();
    const answers = await openings;
    expect(answers.map((one) => one.status === 'rejected' && one.reason.name)).toEqual(
      contents.map(() => 'DatabaseUnavailable'),
    );
    expect(await grantsOf(contents)).toEqual([]);
    expect(outcomes(await Promise.all((await several(3)).map((content) => open(content))))).toEqual(
      Array(3).fill('opened'),
    );
  });
});
