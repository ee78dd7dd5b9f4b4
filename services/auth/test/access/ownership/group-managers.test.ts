import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { NoSuchOwner } from '../../../src/platform/protocol/domain/no-such-owner.ts';
import { type Program, Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

// A group owns as long as an active member has a role that manages the group's objects.

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

const sql = () => service.deps.database.sql;
const groups = () => service.directory.groups;
const subjects = () => service.deps.subjects;
const leave = (id: string) => service.directory.change(tenant, id, 'user.deactivated');
let counter = 0;
const administrator = (of = tenant) => programs.administrator(`manager-${++counter}`, of);
async function member(of = tenant): Promise<string> {
  const { id } = await service.person(`member-${++counter}`, { tenant: of });
  await subjects().find(of, id);
  return id;
}
const settled = () =>
  eventually(async () => (await sql().query('SELECT 1 FROM auth.owner_checks')).rows.length === 0);
const isDisabled = async ({ id }: Program) =>
  (await service.deps.clients.find(tenant, id))?.disabled === true;
const endsWithin = async (client: Program) => {
  await eventually(() => isDisabled(client));
  expect((await programs.authenticate(client)).status).toBe(401);
};
const hold = (group: string, of = tenant) =>
  service.deps.database.transaction((tx) =>
    service.deps.owners.hold(tx, of, 'client', { kind: 'group', id: group }),
  );

describe('members of an owning group', () => {
  test('A group whose active members have no role that manages it cannot own, in either tenant.', async () => {
    const [helper, plain] = [await member(), await member()];
    await subjects().assignRole(tenant, helper, 'help_desk');
    for (const group of [groups().create(tenant, [plain]), groups().create(tenant, [helper, plain])])
      await expect(hold(group)).rejects.toThrow(NoSuchOwner);
    const theirs = await administrator(rival);
    await expect(hold(groups().create(rival, [theirs.id]))).rejects.toThrow(NoSuchOwner);
    await hold(groups().create(rival, [theirs.id]), rival);
  });

  test('A group owns nothing after the last member who could manage it is offboarded, and other active members keep nothing.', async () => {
    const [first, last, plain] = [await administrator(), await administrator(), await member()];
    const group = groups().create(tenant, [first.id, last.id, plain]);
    const client = await programs.register(first.accessToken, { ownerId: group });
    const programOf = await programs.register(last.accessToken, { ownerId: group });
    await leave(first.id);
    await settled();
    expect(await isDisabled(client)).toBe(false);
    await leave(last.id);
    for (const each of [client, programOf]) await endsWithin(each);
  });

  test('A group owns nothing after its last manager loses the role, directly or through a group that assigns it.', async () => {
    const [creator, direct, through] = [await administrator(), await administrator(), await member()];
    const giving = groups().create(tenant, [groups().create(tenant, [through])]);
    await service.deps.groupRoles.assign(tenant, giving, 'tenant_admin', { managedBySources: false });
    const [one, two] = [groups().create(tenant, [direct.id]), groups().create(tenant, [through])];
    const clients = [
      await programs.register(creator.accessToken, { ownerId: one }),
      await programs.register(creator.accessToken, { ownerId: two }),
    ] as const;
    await settled();
    expect(await Promise.all(clients.map(isDisabled))).toEqual([false, false]);
    await subjects().removeRole(tenant, direct.id, 'tenant_admin');
    await endsWithin(clients[0]);
    expect(await isDisabled(clients[1])).toBe(false);
    await service.deps.groupRoles.remove(tenant, giving, 'tenant_admin');
    await endsWithin(clients[1]);
  });

  test('A group that knows secrets and owns nothing loses them with its last manager.', async () => {
    const [gone, manager, colleague] = [await administrator(), await administrator(), await administrator()];
    const heir = groups().create(tenant, [manager.id, await member()]);
    await sql().query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [
      tenant,
      JSON.stringify({ ownedCredentialsOnOffboarding: 'handOver', handOverCredentialsTo: heir }),
    ]);
    const client = await programs.register(colleague.accessToken);
    const { rotateClientSecret } = await programs.ask(
      gone.accessToken,
      'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { clientSecret } }',
      { id: client.id },
    );
    const rotated = { id: client.id, secret: rotateClientSecret.clientSecret };
    await leave(gone.id);
    await eventually(async () => (await service.deps.knownSecrets.knownTo(sql(), tenant, heir)).length === 1);
    await settled();
    expect((await programs.authenticate(rotated)).status).toBe(200);
    await sql().query(`UPDATE auth.tenants SET policy = '{}' WHERE id = $1`, [tenant]);
    await leave(manager.id);
    await eventually(async () => (await programs.authenticate(rotated)).status === 401);
    expect(await isDisabled(client)).toBe(false);
    await eventually(
      async () =>
        (await sql().query('SELECT 1 FROM auth.group_knowers WHERE group_id = $1', [heir])).rows.length === 0,
    );
  });
});

test('In every order of an offboarding, a loss of a role and a new owner, no group without a manager owns.', async () => {
  const creator = await administrator();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const [one, two] = [await administrator(), await administrator()];
      const group = groups().create(tenant, [one.id, two.id, await member()]);
      const [client] = await Promise.all([
        programs.register(creator.accessToken, { ownerId: group }).catch(() => undefined),
        leave(one.id),
        subjects().removeRole(tenant, two.id, 'tenant_admin'),
      ]);
      if (client) await endsWithin(client);
      await expect(hold(group)).rejects.toThrow(NoSuchOwner);
    }),
  );
});
