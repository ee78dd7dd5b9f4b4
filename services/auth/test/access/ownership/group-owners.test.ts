import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { ownersOf, setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import { addOwnerCheck } from '../../../src/access/ownership/data/owner-checks.ts';
import type { CredentialOwner } from '../../../src/access/ownership/domain/credential-owner.ts';
import { GroupOwners } from '../../../src/access/ownership/domain/group-owners.ts';
import { NoSuchOwner } from '../../../src/platform/protocol/domain/no-such-owner.ts';
import type { DirectoryGroups } from '../../../src/tenancy/users/domain/directory-groups.ts';
import { double } from '../../support/double.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

// A group owns as long as it has an active member. An offboarded user keeps nothing by giving it to a group of their
// own.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => {
  service.directory.available = true;
  service.directory.groups.beforeAnswer = async () => undefined;
});

const sql = () => service.deps.database.sql;
const groups = () => service.directory.groups;
let count = 0;

async function policy(settings: object): Promise<void> {
  await sql().query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [
    tenant,
    JSON.stringify(settings),
  ]);
}

async function person(of = tenant): Promise<string> {
  count += 1;
  const { id } = await service.person(`member-${count}`, { tenant: of });
  await service.deps.subjects.assignRole(of, id, 'tenant_admin');
  return id;
}
const leave = (id: string) => service.directory.change(tenant, id, 'user.deactivated');

const hold = (owner: CredentialOwner, of = tenant) =>
  service.deps.database.transaction((tx) => service.deps.owners.hold(tx, of, 'client', owner));

const machine = {
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  redirect_uris: [],
  scope: 'users:read',
};

/** Creates a machine client of a group that can be its owner. */
async function ownedBy(groupId: string, of = tenant): Promise<string> {
  const { clientId } = await service.client(machine, of);
  await service.deps.database.transaction(async (tx) => {
    await service.deps.owners.hold(tx, of, 'client', { kind: 'group', id: groupId });
    await setOwner(tx, of, 'client', clientId, { kind: 'group', id: groupId });
  });
  return clientId;
}
const ownerOf = async (client: string) => (await ownersOf(sql(), tenant, 'client', [client])).get(client);

async function column(text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await sql().query<{ value: string }>(text, values);
  return rows.map(({ value }) => value);
}
const isDisabled = async (client: string, of = tenant) =>
  (
    await column(
      `SELECT 1 AS value FROM auth.clients WHERE tenant = $1 AND client_id = $2 AND disabled_at IS NOT NULL`,
      [of, client],
    )
  ).length === 1;
const expectEnded = (client: string) => eventually(() => isDisabled(client));
const reasons = (client: string) =>
  column(
    `SELECT changes->'reason'->>'after' AS value FROM auth.security_log
      WHERE tenant = $1 AND resource_id = $2 AND changes ? 'reason' ORDER BY id`,
    [tenant, client],
  );
/** Waits until no check is pending. */
const settled = () =>
  eventually(async () => (await column('SELECT 1 AS value FROM auth.owner_checks', [])).length === 0);
const handled = (events: readonly NewEvent[]) =>
  eventually(
    async () => (await service.deps.directoryEvents.missing(events.map(({ id = '' }) => id))).length === 0,
  );
async function ends(owner: string) {
  const { body } = await service.internal('GET', '/ownership-ends', undefined, 'provisioning');
  const all = body.ends as { owner: { id: string }; verdict: string; reason: string; successor: unknown }[];
  return all.filter((end) => end.owner.id === owner);
}
const nameForConnector = (id: string) =>
  service.internal('POST', `/tenants/${tenant}/connector-owners`, { id }, 'provisioning');

/** Returns the same service as another process on the database; it fails to end the objects of `troubled`. */
function otherProcess(troubled?: string) {
  const { database, revocations } = service.deps;
  const departure = { ...service.deps.departure, accessTokenSeconds: 300 };
  const attended: DirectoryGroups['attended'] = async (of, ids, { users, groups: inGroups }) => {
    if (ids.length === 1 && ids[0] === troubled) throw new Error('trouble with this group');
    const active = groups().attended(of, ids, { ids: users, groups: inGroups });
    return { active: new Set(active), missing: new Set<string>() };
  };
  return new GroupOwners({
    database,
    groups: double<DirectoryGroups>({ attended }),
    departure,
    revocations,
  });
}

const deserted = 'owner: no active member of the group may manage it';

describe('groups without active members', () => {
  test.each(['revoke', 'suspend', 'handOver'])(
    'A group without active members no longer owns anything under the policy %s.',
    async (wanted) => {
      const successor = await person();
      await policy({
        ownedCredentialsOnOffboarding: wanted,
        ...(wanted === 'handOver' && { handOverCredentialsTo: successor }),
      });
      const only = await person();
      const group = groups().create(tenant, [only]);
      const client = await ownedBy(group);
      await nameForConnector(group);
      await settled();
      expect([await isDisabled(client), await ends(group)]).toEqual([false, []]);
      await leave(only);
      await eventually(async () => (await ownerOf(client))?.id !== group);
      await settled();
      expect(await isDisabled(client)).toBe(wanted !== 'handOver');
      expect(await ownerOf(client)).toEqual(
        wanted === 'handOver' ? { kind: 'user', id: successor } : undefined,
      );
      expect(await reasons(client)).toEqual([deserted]);
      expect(await ends(group)).toMatchObject([{ verdict: wanted, reason: deserted }]);
    },
  );

  test('The ownership of a group ends once: later enabling stays, and a returning user gets nothing back.', async () => {
    await policy({ ownedCredentialsOnOffboarding: 'suspend' });
    const [only, other] = [await person(), await person()];
    const group = groups().create(tenant, [only]);
    const client = await ownedBy(group);
    const elsewhere = await ownedBy(groups().create(tenant, [await person()]));
    await leave(only);
    await expectEnded(client);
    await service.directory.change(tenant, only, 'user.reactivated');
    await groups().add(group, other);
    await settled();
    expect([await isDisabled(client), await ownerOf(client)]).toEqual([true, undefined]);
    await service.deps.clientRegistry.enable(tenant, client, () => undefined);
    await leave(only);
    await leave(other);
    await settled();
    expect([await isDisabled(client), await isDisabled(elsewhere)]).toEqual([false, false]);
  });

  test('The ownership of a group ends when its last member is removed, directly or with a nested group.', async () => {
    await policy({});
    const [inside, nested] = [await person(), await person()];
    const direct = groups().create(tenant, [inside]);
    const inner = groups().create(tenant, [nested]);
    const middle = groups().create(tenant, [inner]);
    const outer = groups().create(tenant, [middle]);
    const [one, two] = [await ownedBy(direct), await ownedBy(outer)];
    await groups().remove(direct, inside);
    await expectEnded(one);
    await settled();
    expect(await isDisabled(two)).toBe(false);
    await groups().remove(middle, inner);
    await expectEnded(two);
    expect([await reasons(one), await reasons(two)]).toEqual([[deserted], [deserted]]);
  });

  test.each(['deactivated', 'deleted'] as const)(
    'A group stays owner until its last direct or nested member is %s.',
    async (how) => {
      await policy({});
      const [first, second, third] = [await person(), await person(), await person()];
      const inner = groups().create(tenant, [third]);
      const client = await ownedBy(groups().create(tenant, [first, second, inner]));
      for (const id of [first, second]) {
        await leave(id);
        await eventually(async () => (await service.deps.subjects.find(tenant, id))?.active === false);
        await settled();
        expect(await isDisabled(client)).toBe(false);
      }
      await service.directory.change(tenant, third, `user.${how}`);
      await expectEnded(client);
    },
  );

  test('The ownership of a group ends when the inner group with its last members is deleted.', async () => {
    await policy({});
    const inner = groups().create(tenant, [await person()]);
    const client = await ownedBy(groups().create(tenant, [inner]));
    await groups().delete(inner);
    await expectEnded(client);
  });

  test('A group without active members is rejected as owner in the same way as an unknown group.', async () => {
    const gone = await person();
    const [empty, inactive] = [groups().create(tenant), groups().create(tenant, [gone])];
    await leave(gone);
    await eventually(async () => (await service.deps.subjects.find(tenant, gone))?.active === false);
    const rivals = groups().create(rival, [await person(rival)]);
    for (const id of [empty, inactive, rivals, uuidv7()]) {
      await expect(hold({ kind: 'group', id })).rejects.toThrow(NoSuchOwner);
      expect((await nameForConnector(id)).status).toBe(404);
    }
    await hold({ kind: 'group', id: rivals }, rival);
  });
});

describe('races and failures', () => {
  test('A credential ends when the last two members are offboarded concurrently, or while it is given to their group.', async () => {
    await policy({});
    const both = await Promise.all(Array.from({ length: 6 }, () => Promise.all([person(), person()])));
    await Promise.all(
      both.map(async ([one, two]) => {
        const client = await ownedBy(groups().create(tenant, [one, two]));
        const given = ownedBy(groups().create(tenant, [one, two])).catch((error) => {
          if (!(error instanceof NoSuchOwner)) throw error;
        });
        await Promise.all([leave(one), leave(two)]);
        await expectEnded(client);
        const late = await given;
        if (late !== undefined) await expectEnded(late);
      }),
    );
  });

  test('An offboarding processed between the answer of the directory and the commit of the owner is not missed.', async () => {
    await policy({});
    const only = await person();
    const group = groups().create(tenant, [only]);
    await settled();
    let asked = 0;
    groups().beforeAnswer = async () => {
      asked += 1;
      if (asked !== 1) return;
      const gone = service.directory.changed(tenant, only, 'user.deactivated');
      await service.directory.send([{ ...gone, id: gone.id ?? uuidv7() }]);
      await eventually(async () => (await service.deps.subjects.find(tenant, only))?.active === false);
    };
    const client = await ownedBy(group);
    await expectEnded(client);
  });

  test('A credential transferred to a group while that group ends is ended as well.', async () => {
    await policy({});
    const only = await person();
    const group = groups().create(tenant, [only]);
    const client = await ownedBy(group);
    const { clientId: late } = await service.client(machine);
    const { database } = service.deps;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const blocking = database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM auth.clients WHERE tenant = $1 AND client_id = $2 FOR UPDATE', [
        tenant,
        client,
      ]);
      await released;
    });
    await leave(only);
    await eventually(
      async () =>
        (
          await column(
            `SELECT 1 AS value FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%auth.clients%'`,
            [],
          )
        ).length > 0,
    );
    // An offboarding only records that the directory has to be asked.
    await database.transaction(async (tx) => {
      await setOwner(tx, tenant, 'client', late, { kind: 'group', id: group });
      await addOwnerCheck(tx, tenant, { kind: 'system', id: 'auth' });
    });
    release();
    await blocking;
    for (const each of [client, late]) await expectEnded(each);
    await settled();
    expect([await ownerOf(client), await ownerOf(late)]).toEqual([undefined, undefined]);
  });

  test('A check is kept while the directory is unavailable; several processes end the ownership of a group once.', async () => {
    await policy({});
    const only = await person();
    const group = groups().create(tenant, [only]);
    const client = await ownedBy(group);
    await nameForConnector(group);
    await settled();
    service.directory.available = false;
    const gone = { ...service.directory.changed(tenant, only, 'user.deactivated'), id: uuidv7() };
    await service.directory.send([gone]);
    await handled([gone]);
    // One for the event, one for the offboarding of a user with a role.
    expect(await column('SELECT tenant AS value FROM auth.owner_checks', [])).toEqual([tenant, tenant]);
    expect(await isDisabled(client)).toBe(false);
    service.directory.available = true;
    const processes = Array.from({ length: 4 }, () => otherProcess());
    await Promise.all(processes.map((one) => one.settle(tenant)));
    await settled();
    expect([await isDisabled(client), await reasons(client)]).toEqual([true, [deserted]]);
    expect(await ends(group)).toHaveLength(1);
  });

  test('When one group causes an error, the ownership of other groups ends and that group is checked again.', async () => {
    await policy({});
    const people = [await person(), await person(), await person()];
    const all = people.map((id) => groups().create(tenant, [id]));
    const clients = await Promise.all(all.map((group) => ownedBy(group)));
    await settled();
    service.directory.available = false;
    const gone = people.map((id) => ({
      ...service.directory.changed(tenant, id, 'user.deactivated'),
      id: uuidv7(),
    }));
    await service.directory.send(gone);
    await handled(gone);
    await expect(otherProcess(all[0]).settle(tenant)).rejects.toThrow('trouble');
    expect(await Promise.all(clients.map((client) => isDisabled(client)))).toEqual([false, true, true]);
    service.directory.available = true;
    for (const client of clients) await expectEnded(client);
  });

  test('Groups of other tenants are not affected, and the directory is not queried where no group owns anything.', async () => {
    await policy({});
    const theirs = await person(rival);
    const client = await ownedBy(groups().create(rival, [theirs]), rival);
    const mine = await person();
    await sql().query(`DELETE FROM auth.credential_owners WHERE tenant = $1 AND owner_kind = 'group'`, [
      tenant,
    ]);
    await sql().query(`DELETE FROM auth.connector_owners WHERE tenant = $1 AND kind = 'group'`, [tenant]);
    await settled();
    const before = groups().questions;
    await leave(mine);
    await eventually(async () => (await service.deps.subjects.find(tenant, mine))?.active === false);
    await settled();
    expect([groups().questions, await isDisabled(client, rival)]).toEqual([before, false]);
  });
});

describe('successors', () => {
  test.each([
    ['deleted', 'owner: group deleted'],
    ['empty', deserted],
    ['with inactive members only', deserted],
  ])('A credential is revoked when the successor is a group that is %s.', async (state, reason) => {
    const inactive = service.directory.addUser(tenant, `inactive-${uuidv7()}`, { active: false }).id;
    const heir =
      state === 'deleted' ? uuidv7() : groups().create(tenant, state === 'empty' ? [] : [inactive]);
    await policy({ ownedCredentialsOnOffboarding: 'handOver', handOverCredentialsTo: heir });
    const gone = await person();
    const { clientId } = await service.client(machine);
    await setOwner(sql(), tenant, 'client', clientId, { kind: 'user', id: gone });
    await nameForConnector(gone);
    await leave(gone);
    await expectEnded(clientId);
    await settled();
    expect(await reasons(clientId)).toEqual(['owner: departure', reason]);
    expect(await ownerOf(clientId)).toBeUndefined();
    expect(await ends(gone)).toMatchObject([{ verdict: 'handOver', successor: { kind: 'group', id: heir } }]);
    expect(await ends(heir)).toMatchObject([{ verdict: 'revoke', reason, successor: null }]);
  });

  test('A credential is transferred when the successor is a group with an active member.', async () => {
    const heir = groups().create(tenant, [await person()]);
    await policy({ ownedCredentialsOnOffboarding: 'handOver', handOverCredentialsTo: heir });
    const only = await person();
    const client = await ownedBy(groups().create(tenant, [only]));
    await leave(only);
    await eventually(async () => (await ownerOf(client))?.id === heir);
    await settled();
    expect([await isDisabled(client), await ownerOf(client)]).toEqual([false, { kind: 'group', id: heir }]);
  });
});
