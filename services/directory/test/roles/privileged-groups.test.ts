import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { membersAmong } from '../../src/database/data/invariants.ts';
import { acme, ask, codes, everything, harness, rival, setUpGraph, user } from '../support/graph-client.ts';
import type { Answer, Json } from '../support/harness.ts';

setUpGraph();

const roleScopes = ['roles:write', 'users:read', 'sessions:write'];
const source = { source: 'entra' };
let counter = 0;

const person = async (): Promise<string> => (await user()).id;
const group = async (...members: string[]): Promise<string> =>
  (
    await acme.create('Groups', {
      displayName: `privileged-${++counter}`,
      members: members.map((value) => ({ value })),
    })
  ).body.id;
const members = async (id: string): Promise<string[]> =>
  ((await acme.read('Groups', id)).body.members ?? []).map(({ value }: Json) => value).sort();
const add = (...ids: string[]) => [{ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }];
const remove = (id: string) => [{ op: 'remove', path: `members[value eq "${id}"]` }];

let version = 0;
const privilege = (
  id: string,
  o: { scopes?: string[]; managedBySources?: boolean; version?: number; tenant?: string; as?: string } = {},
): Promise<Answer> => {
  const { scopes = roleScopes, managedBySources = false, tenant = acme.tenant, as = 'auth' } = o;
  version = o.version ?? version + 1;
  return harness.call(
    'PUT',
    `/internal/v1/tenants/${tenant}/Groups/${id}/privilege`,
    { scopes, managedBySources, version },
    harness.issuer.serviceToken(as),
  );
};
const question = (body: object, tenant = acme.tenant, as = 'auth'): Promise<Answer> =>
  harness.call(
    'POST',
    `/internal/v1/tenants/${tenant}/Groups/effective-members`,
    body,
    harness.issuer.serviceToken(as),
  );

const app = (scopes: readonly string[]) => harness.issuer.token(acme.tenant, { clientId: 'an-app', scopes });
const someone = (scopes: readonly string[], secondsAgo?: number) =>
  harness.issuer.token(acme.tenant, {
    subject: 'somebody',
    clientId: 'an-app',
    scopes,
    ...(secondsAgo !== undefined && { authTime: Math.floor(Date.now() / 1000) - secondsAgo }),
  });
const addInGraph = async (groupId: string, memberId: string, token: string): Promise<string[]> =>
  codes(
    await ask(
      'mutation ($input: GroupMembersInput!) { addGroupMembers(input: $input) { group { id } } }',
      { input: { groupId, memberIds: [memberId] } },
      token,
    ),
  );

describe('Active users in groups', () => {
  const attended = async (groups: string[], tenant = acme.tenant) =>
    (await question({ groups, active: true }, tenant)).body;

  test('A group has an active user directly or through others, in this tenant; inactive or deleted users do not count.', async () => {
    const [active, inactive, gone] = [await person(), await person(), await person()];
    const direct = await group(active, inactive);
    const inner = await group(active);
    const outer = await group(await group(inner));
    const [deserted, left, empty] = [await group(inactive), await group(gone), await group()];
    const above = await group(deserted);
    const off = [{ op: 'replace', path: 'active', value: false }];
    expect((await acme.patch('Users', inactive, off)).status).toBe(200);
    expect((await acme.remove('Users', gone)).status).toBe(204);
    const unknown = crypto.randomUUID();
    const all = [direct, inner, outer, deserted, left, empty, above, unknown];
    const answer = await attended(all);
    expect(answer.active.sort()).toEqual([direct, inner, outer].sort());
    expect(answer.missing).toEqual([unknown]);
    expect(await attended([direct], rival.tenant)).toEqual({ active: [], missing: [direct] });
    expect((await acme.patch('Users', active, off)).status).toBe(200);
    expect((await attended(all)).active).toEqual([]);
    expect((await question({ groups: all, active: 'yes' })).status).toBe(400);
    expect((await question({ groups: all, active: true }, acme.tenant, 'provisioning')).status).toBe(403);
  });

  test('A group has an active manager who is listed, or in a listed group, directly or through others.', async () => {
    const [named, inGroup, plain] = [await person(), await person(), await person()];
    const giving = await group(await group(inGroup));
    const [one, two, none] = [await group(await group(named)), await group(inGroup), await group(plain)];
    const among = async (managers: object, tenant = acme.tenant) =>
      (await question({ groups: [one, two, none], active: true, managers }, tenant)).body;
    expect((await among({ ids: [named], groups: [] })).active).toEqual([one]);
    expect((await among({ ids: [], groups: [giving] })).active).toEqual([two]);
    expect((await among({ ids: [named, inGroup], groups: [] })).active.sort()).toEqual([one, two].sort());
    expect((await among({ ids: [], groups: [] })).active).toEqual([]);
    expect((await among({ ids: [named], groups: [giving] }, rival.tenant)).active).toEqual([]);
    const off = [{ op: 'replace', path: 'active', value: false }];
    expect((await acme.patch('Users', inGroup, off)).status).toBe(200);
    expect((await among({ ids: [named], groups: [giving] })).active).toEqual([one]);
    for (const managers of ['all', { ids: 'all', groups: [] }, { ids: [] }])
      expect((await question({ groups: [one], active: true, managers })).status).toBe(400);
  });
});

describe('Groups that give a role', () => {
  test('A group that gives a role accepts no new members from an identity source; existing members may be named.', async () => {
    const [inside, other] = [await person(), await person()];
    const id = await group(inside);
    expect((await privilege(id)).status).toBe(204);
    const refusals = [
      await acme.patch('Groups', id, add(other), source),
      await acme.patch('Groups', id, [{ op: 'replace', path: 'members', value: [{ value: other }] }], source),
      await acme.patch('Groups', id, [{ op: 'add', value: { members: [{ value: other }] } }], source),
      await acme.replace('Groups', id, { displayName: 'x', members: [{ value: other }] }, source),
      // Callers without a source and without the scopes are rejected too.
      await acme.patch('Groups', id, add(other)),
    ];
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 403, body: { detail: expect.stringContaining('role') } });
    }
    expect(await members(id)).toEqual([inside]);
    expect((await acme.patch('Groups', id, add(inside), source)).status).toBe(200);
    const renamed = { displayName: 'renamed', members: [{ value: inside }] };
    expect((await acme.replace('Groups', id, renamed, source)).status).toBe(200);
  });

  test('A group that gives a role lets all members be removed, because losing a role grants no privilege.', async () => {
    const [one, two] = [await person(), await person()];
    const id = await group(one, two);
    await privilege(id);
    expect((await acme.patch('Groups', id, remove(one), source)).status).toBe(200);
    expect((await acme.replace('Groups', id, { displayName: 'x', members: [] }, source)).status).toBe(200);
    expect(await members(id)).toEqual([]);
    expect((await acme.remove('Groups', id, source)).status).toBe(204);
  });

  test('Groups inside a group that gives a role accept no members either, at any depth; its parent groups do.', async () => {
    const inner = await group();
    const middle = await group(inner);
    const id = await group(middle);
    const outer = await group(id);
    await privilege(id);
    const someGroup = await group(await person());
    for (const target of [inner, middle, id]) {
      expect((await acme.patch('Groups', target, add(await person()), source)).status).toBe(403);
      expect((await acme.patch('Groups', target, add(someGroup), source)).status).toBe(403);
    }
    expect((await acme.patch('Groups', outer, add(await person()), source)).status).toBe(200);
    expect((await acme.patch('Groups', outer, add(someGroup), source)).status).toBe(200);
  });

  test('A group that gives a role accepts members from sources that may manage it and all groups above it.', async () => {
    const inner = await group();
    const id = await group(inner);
    await privilege(inner, { managedBySources: true });
    expect((await acme.patch('Groups', inner, add(await person()), source)).status).toBe(200);
    await privilege(id);
    expect((await acme.patch('Groups', inner, add(await person()), source)).status).toBe(403);
    await privilege(id, { managedBySources: true });
    expect((await acme.patch('Groups', inner, add(await person()), source)).status).toBe(200);
    // Only sources have this permission.
    expect((await acme.patch('Groups', inner, add(await person()))).status).toBe(403);
    const clientOfMany = { roleScopes: roleScopes.slice(1) };
    expect((await acme.patch('Groups', inner, add(await person()), clientOfMany)).status).toBe(403);
    expect((await acme.patch('Groups', inner, add(await person()), { roleScopes })).status).toBe(200);
  });

  test('In the graph a privileged group accepts members from a client with its scopes or a user with a recent sign-in.', async () => {
    const id = await group();
    await privilege(id);
    const enough = [...everything, ...roleScopes];
    for (const missing of roleScopes) {
      const scopes = enough.filter((scope) => scope !== missing);
      expect(await addInGraph(id, await person(), app(scopes))).toEqual(['FORBIDDEN']);
    }
    expect(await addInGraph(id, await person(), app(enough))).toEqual([]);
    expect(await addInGraph(id, await person(), someone(enough, 60))).toEqual([]);
    // A token without a sign-in, such as a personal access token, or with an older one.
    for (const token of [someone(enough), someone(enough, 1_000)]) {
      expect(await addInGraph(id, await person(), token)).toEqual(['INSUFFICIENT_USER_AUTHENTICATION']);
    }
    expect(await members(id)).toHaveLength(2);
  });

  test('A group that no longer gives a role accepts members again, and a late notification is ignored.', async () => {
    const id = await group();
    await privilege(id, { version: 1_000_010 });
    await privilege(id, { version: 1_000_009, scopes: [] });
    expect((await acme.patch('Groups', id, add(await person()), source)).status).toBe(403);
    await privilege(id, { version: 1_000_011, scopes: [] });
    await privilege(id, { version: 1_000_010 });
    expect((await acme.patch('Groups', id, add(await person()), source)).status).toBe(200);
  });

  test('No user enters a group that gives a role by a restoration, except by a caller who could give the role.', async () => {
    await harness.sql(`UPDATE directory.tenants SET deletion_policy = 'soft' WHERE id = $1`, [acme.tenant]);
    const [one, two] = [await person(), await person()];
    const inner = await group(two);
    const id = await group(one, inner);
    await privilege(id);
    const restore = async (type: 'User' | 'Group', restored: string, token: string) =>
      codes(
        await ask(
          `mutation ($input: DeletedResourceInput!) { restore${type}(input: $input) { ${type.toLowerCase()} { id } } }`,
          { input: { id: restored } },
          token,
        ),
      );
    for (const [type, gone] of [
      ['User', one],
      ['Group', inner],
      ['Group', id],
    ] as const) {
      await acme.remove(`${type}s`, gone);
      expect(await restore(type, gone, app(everything))).toEqual(['FORBIDDEN']);
      expect(await restore(type, gone, app([...everything, ...roleScopes]))).toEqual([]);
    }
    expect(await members(id)).toEqual([one, inner].sort());
  });

  test('A user added while a group starts to give a role is either rejected or visible to later queries.', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [id, ids] = [await group(), await Promise.all(Array.from({ length: 6 }, person))];
      let seen: string[] = [];
      const notified = privilege(id).then(async () => {
        const answer = await question({ groups: [id] });
        seen = answer.body.members.map((member: Json) => member.id);
      });
      const answers = await Promise.all(
        ids.map(async (member, i) => {
          await new Promise((resolve) => setTimeout(resolve, i));
          return acme.patch('Groups', id, add(member), source);
        }),
      );
      await notified;
      expect(await members(id)).toEqual(ids.filter((_, i) => answers[i]?.status === 200).sort());
      expect(seen.toSorted()).toEqual(await members(id));
    }
  });
});

test('A change of members without a new privilege is committed before the privilege is.', async () => {
  const [id, member] = [await group(), await person()];
  let adding: Promise<Answer> | undefined;
  let telling: Promise<Answer> | undefined;
  let notified = false;
  await harness.database.transaction(async (tx) => {
    // The audit entry is written last, so the lock delays the change.
    await tx.query('LOCK TABLE directory.audit_log IN SHARE MODE');
    adding = acme.patch('Groups', id, add(member), source);
    const waiting = () =>
      harness.sql(
        `SELECT 1 FROM pg_locks WHERE relation = 'directory.audit_log'::regclass AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    await eventually(async () => (await waiting()).length !== 0);
    telling = privilege(id).then((answer) => {
      notified = true;
      return answer;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(notified).toBe(false);
  });
  expect((await adding)?.status).toBe(200);
  expect((await telling)?.status).toBe(204);
  expect((await question({ groups: [id] })).body.members).toEqual([{ id: member, groups: [id] }]);
});

describe('Members of groups', () => {
  test('The current members of groups, direct or through others, are read by id or page by page.', async () => {
    const people = await Promise.all(Array.from({ length: 7 }, person));
    const [a = '', b = '', c = '', ...rest] = people;
    const inner = await group(b, c);
    const id = await group(a, inner, ...rest);
    const other = await group(c);
    const some = await question({ groups: [id, other], ids: [b, c, inner, crypto.randomUUID()] });
    expect(some.body.members.map((member: Json) => [member.id, member.groups.toSorted()]).sort()).toEqual(
      [
        [b, [id]],
        [c, [id, other].sort()],
      ].sort(),
    );
    expect(some.body).toMatchObject({ groups: [inner], missing: [] });
    const found: string[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const { body } = await question({ groups: [id, other], after, count: 3 });
      found.push(...body.members.map((member: Json) => member.id));
      after = found.at(-1);
      more = body.more;
    }
    expect(found).toEqual(people.toSorted());
    const gone = crypto.randomUUID();
    expect((await question({ groups: [gone, other] })).body.missing).toEqual([gone]);
  });

  test('The members of groups are returned to the authorization server only, for groups of the tenant only.', async () => {
    const id = await group(await person());
    for (const as of ['provisioning', 'gateway', 'operator']) {
      expect((await question({ groups: [id] }, acme.tenant, as)).status).toBe(403);
      expect((await privilege(id, { as })).status).toBe(403);
    }
    expect((await question({ groups: [id] }, rival.tenant)).body).toEqual({
      members: [],
      more: false,
      missing: [id],
    });
    expect((await privilege(id, { tenant: rival.tenant })).status).toBe(404);
    expect((await privilege(crypto.randomUUID())).status).toBe(404);
    expect((await question({ groups: [id] }, 'nobody')).status).toBe(404);
  });

  test.each([
    ['no groups', {}],
    ['groups that are no ids', { groups: ['x'] }],
    ['ids that are no ids', { groups: [], ids: [1] }],
    ['too many ids', { groups: [], ids: Array.from({ length: 1_001 }, () => crypto.randomUUID()) }],
    ['no count', { groups: [], count: 0 }],
    ['a position that is none', { groups: [], after: 'x' }],
  ])('A query for the members of groups with %s is rejected with 400.', async (_what, body) => {
    expect((await question(body)).status).toBe(400);
  });

  test('A malformed privilege is rejected with 400.', async () => {
    const id = await group();
    const token = harness.issuer.serviceToken('auth');
    for (const body of [
      {},
      { scopes: ['x'] },
      { scopes: 1, version: 1, managedBySources: true },
      { scopes: [], version: 1 },
    ]) {
      const path = `/internal/v1/tenants/${acme.tenant}/Groups/${id}/privilege`;
      expect((await harness.call('PUT', path, body, token)).status).toBe(400);
    }
  });
});

test('The audit finds the members of a group, direct or through others, and none of another tenant.', async () => {
  const [direct, nested, outside] = [await person(), await person(), await person()];
  const inner = await group(nested);
  const outer = await group(direct, inner);
  const { tenant } = acme;
  const held = (id: string, groupId: string, of = tenant) => ({ tenant: of, id, groupId });
  const asked = [
    held(direct, outer),
    held(nested, outer),
    held(nested, inner),
    held(direct, inner),
    held(outside, outer),
    held(direct, outer, rival.tenant),
    held(direct, crypto.randomUUID()),
  ];
  const found = await membersAmong(harness.database.sql, [...asked, held(direct, outer)]);
  expect(new Set(found)).toEqual(new Set(asked.slice(0, 3)));
  expect(found).toHaveLength(3);
});
