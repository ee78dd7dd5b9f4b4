import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;
let counter = 0;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
});
afterAll(() => harness.stop());

const user = async (client = acme): Promise<string> =>
  (await client.create('Users', { userName: `p${++counter}` })).body.id;
const group = async (...members: string[]): Promise<string> =>
  (
    await acme.create('Groups', {
      displayName: `g${++counter}`,
      members: members.map((value) => ({ value })),
    })
  ).body.id;
const protects = (users: string[], groups: string[] = []) => ({ protects: { users, groups } });
const members = async (id: string): Promise<string[]> =>
  ((await acme.read('Groups', id)).body.members ?? []).map(({ value }: Json) => value).sort();
const change = (id: string, rule: object) =>
  acme.patch('Users', id, [{ op: 'replace', path: 'title', value: `t${++counter}` }], rule);
const memberOp = (op: string, ...ids: string[]) => ({
  op,
  path: 'members',
  value: ids.map((value) => ({ value })),
});
const remove = (id: string) => ({ op: 'remove', path: `members[value eq "${id}"]` });

/** All changes of a user. */
const attempts = (id: string, rule: object) => [
  () => change(id, rule),
  () => acme.patch('Users', id, [{ op: 'replace', value: { active: false } }], rule),
  () => acme.patch('Users', id, [], { ...rule, credentialTicket: 'ticket' }),
  () => acme.replace('Users', id, { userName: `p${++counter}` }, rule),
  () => acme.remove('Users', id, rule),
];

describe('Protected users', () => {
  test('A protected user is not changed, deactivated, given a password or deleted; other users are.', async () => {
    const [id, other] = [await user(), await user()];
    const before = (await acme.read('Users', id)).body;
    for (const attempt of attempts(id, protects([id]))) {
      expect(await attempt()).toMatchObject({
        status: 403,
        body: { status: '403', detail: expect.stringContaining('protected') },
      });
    }
    expect((await acme.read('Users', id)).body).toEqual(before);
    expect((await change(other, protects([id]))).status).toBe(200);
  });

  test('A user whose role the directory has stored is protected where the rule covers role holders.', async () => {
    const [id, other] = [await user(), await user()];
    await harness.sql(
      `INSERT INTO directory.role_holders (tenant, user_id, scopes, version) VALUES ($1, $2, '{users:write}', 1), ($1, $3, '{}', 1)`,
      [acme.tenant, id, other],
    );
    const rule = { protects: { users: [], groups: [], roleHolders: true } };
    for (const attempt of attempts(id, rule)) expect((await attempt()).status).toBe(403);
    expect((await change(id, protects([]))).status).toBe(200);
    for (const attempt of attempts(other, rule)) expect((await attempt()).status).toBeLessThan(300);
    const badly = { protects: { users: [], groups: [], roleHolders: 'yes' } };
    expect((await change(id, badly)).status).toBe(400);
  });

  test('A user is protected as a member of a protected group, directly or through another group.', async () => {
    const [direct, indirect] = [await user(), await user()];
    const inner = await group(indirect);
    const outer = await group(direct, inner);
    for (const id of [direct, indirect]) {
      for (const attempt of attempts(id, protects([], [outer]))) expect((await attempt()).status).toBe(403);
    }
    // The same response for each kind of protection.
    const [listed, member] = [
      await change(direct, protects([direct])),
      await change(direct, protects([], [outer])),
    ];
    expect(listed.body).toEqual(member.body);
  });

  test('A protected user is neither added to a group nor removed from one.', async () => {
    const [id, other] = [await user(), await user()];
    const rule = protects([id]);
    const [within, without] = [await group(id, other), await group(other)];
    const patch = (of: string, ...operations: object[]) => acme.patch('Groups', of, operations, rule);
    for (const answer of [
      await patch(without, memberOp('add', id)),
      await patch(without, memberOp('add', other, id)),
      await patch(without, memberOp('replace', id)),
      await patch(within, remove(id)),
      await patch(within, memberOp('replace', other)),
      await patch(within, { op: 'remove', path: 'members' }),
      await patch(within, { op: 'replace', path: 'members', value: [] }),
      await acme.replace('Groups', within, { displayName: 'x' }, rule),
      await acme.remove('Groups', within, rule),
      await acme.create('Groups', { displayName: 'x', members: [{ value: id }] }, rule),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('protected') } });
    }
    expect(await members(within)).toEqual([id, other].sort());
    expect(await members(without)).toEqual([other]);
  });

  test('A protected user may be named where nothing changes for the user, and the group may change otherwise.', async () => {
    const [id, other] = [await user(), await user()];
    const rule = protects([id]);
    const within = await group(id);
    expect((await acme.patch('Groups', within, [memberOp('replace', id, other)], rule)).status).toBe(200);
    expect((await acme.patch('Groups', within, [memberOp('add', id)], rule)).status).toBe(200);
    expect((await acme.patch('Groups', within, [remove(other)], rule)).status).toBe(200);
    const renamed = [{ op: 'replace', path: 'displayName', value: 'renamed' }];
    expect((await acme.patch('Groups', within, renamed, rule)).status).toBe(200);
    expect(await members(within)).toEqual([id]);
  });

  test('A protected user is not moved with a group that contains the user.', async () => {
    const id = await user();
    const [inner, outer] = [await group(id), await group()];
    const rule = protects([id]);
    expect((await acme.patch('Groups', outer, [memberOp('add', inner)], rule)).status).toBe(403);
    await acme.patch('Groups', outer, [memberOp('add', inner)]);
    expect((await acme.patch('Groups', outer, [remove(inner)], rule)).status).toBe(403);
    expect((await acme.remove('Groups', outer, rule)).status).toBe(403);
    expect(await members(outer)).toEqual([inner]);
  });
});

describe('Protected groups', () => {
  test('A protected group is not renamed, filled, emptied or deleted, and neither is a group inside it.', async () => {
    const [id, stranger] = [await user(), await user()];
    const inner = await group(id);
    const outer = await group(inner);
    const rule = protects([], [outer]);
    for (const target of [inner, outer]) {
      for (const answer of [
        await acme.patch('Groups', target, [{ op: 'replace', path: 'displayName', value: 'x' }], rule),
        await acme.patch('Groups', target, [memberOp('add', stranger)], rule),
        await acme.patch('Groups', target, [memberOp('replace')], rule),
        await acme.replace('Groups', target, { displayName: 'x' }, rule),
        await acme.remove('Groups', target, rule),
      ]) {
        expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('protected') } });
      }
    }
    expect(await members(inner)).toEqual([id]);
    expect((await change(stranger, rule)).status).toBe(200);
  });

  test('A protected group is not nested in another group by a caller who may not change its members.', async () => {
    const inner = await group(await user());
    const other = await group();
    const nesting = [memberOp('add', inner)];
    expect((await acme.patch('Groups', other, nesting, protects([], [inner]))).status).toBe(403);
  });
});

test('A missing user returns 404 and not 403, and the list of another tenant protects no user here.', async () => {
  const [mine, theirs] = [await user(), await user(rival)];
  expect((await change(theirs, protects([theirs]))).status).toBe(404);
  expect((await change(crypto.randomUUID(), protects([mine]))).status).toBe(404);
  const asRival = await rival.patch('Users', theirs, [{ op: 'remove', path: 'title' }], protects([mine]));
  expect(asRival.status).toBe(200);
});

test('A user who becomes protected during concurrent changes is not changed by one that begins afterwards.', async () => {
  const [id, guarded] = [await user(), await group()];
  const rule = protects([], [guarded]);
  let over = false;
  const late: number[] = [];
  const rush = async () => {
    while (late.length < 10) {
      const began = over;
      const { status } = await change(id, rule);
      if (began) late.push(status);
      else expect([200, 403]).toContain(status);
    }
  };
  const protect = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const added = await acme.patch('Groups', guarded, [memberOp('add', id)]);
    expect(added.status).toBe(200);
    over = true;
  };
  await Promise.all([rush(), rush(), rush(), protect()]);
  expect(new Set(late)).toEqual(new Set([403]));
});

test('A change with a malformed protection rule is rejected.', async () => {
  const id = await user();
  for (const list of [null, [], {}, { users: ['x'], groups: [] }, { users: [id] }]) {
    expect((await change(id, { protects: list })).status).toBe(400);
  }
});

test('A change by a caller without protection rules makes no query about protection.', async () => {
  const id = await user();
  harness.statements();
  await change(id, {});
  expect(harness.statements().some((text) => text.includes('guarded'))).toBe(false);
});

test('The size of a protected group adds almost nothing to the cost of changing another user.', async () => {
  const tenant = acme.tenant;
  const [id, guarded] = [await user(), await group()];
  const rows = 'SELECT $1, md5($2::text || n)::uuid';
  await harness.sql(
    `INSERT INTO directory.users (tenant, id, user_name, user_name_key, active, external_ids, data, folded, created_at, updated_at)
     ${rows}, $2::text || n, $2::text || n, true, '{}', jsonb_build_object('userName', $2::text || n), '{}', now(), now()
       FROM generate_series(1, 2000) n`,
    [tenant, guarded],
  );
  await harness.sql(
    `INSERT INTO directory.user_memberships (tenant, group_id, member_id, added_at)
     SELECT $1, $2::text::uuid, md5($2::text || n)::uuid, now() FROM generate_series(1, 2000) n`,
    [tenant, guarded],
  );
  harness.statements();
  expect((await change(id, protects([], [guarded]))).status).toBe(200);
  const check = harness.statements().find((text) => text.includes('guarded')) ?? '';
  const plan = await harness.sql<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) ${check
      .replaceAll('$1', `'${tenant}'`)
      .replaceAll('$2', `'{}'`)
      .replaceAll('$3', `'{${guarded}}'`)
      .replaceAll('$4', `'${id}'`)}`,
  );
  const [text = ''] = plan
    .map((row) => row['QUERY PLAN'])
    .join('\n')
    .split('Planning:');
  const buffers = Math.max(...[...text.matchAll(/shared hit=(\d+)/g)].map(([, hits]) => Number(hits)));
  expect(buffers < 60 ? '' : text).toBe('');
});
