import { describe, expect, test } from '@jest/globals';
import { scopesOfRoles } from '../../../src/access/roles/domain/roles.ts';
import { codesOf } from '../../support/sign-in/asking.ts';
import { type Plant, plantedWays } from '../../support/sign-in/planted-ways.ts';
import {
  acceptWithPasskey,
  acceptWithPassword,
  assign,
  enter,
  linkOf,
  notCarriedBy,
  type Planted,
  plantedPassword,
  plantPassword,
  proveWithPasskey,
  refresh,
  roleSources,
} from '../../support/sign-in/planting.ts';
import { asking, everything, service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { accountPath, openAccount } from '../../support/sign-in/second-step.ts';
import { password, rival, tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const admin = [...scopesOfRoles(['tenant_admin'])].sort();
const newcomer = (userName: string): Planted => service.directory.addUser(tenant, userName);
let count = 0;
const unique = () => {
  count += 1;
  return `planted-${count}`;
};

const table = Object.entries<Plant>(plantedWays).flatMap(([way, plant]) =>
  Object.entries(roleSources).map(([source, give]) => [way, source, plant, give] as const),
);

describe('sign-in methods from before the role', () => {
  test.each(table)('After %s, a role assigned %s does not apply.', async (_way, _source, plant, give) => {
    const person = newcomer(unique());
    const reach = await plant(person);
    await give(person);
    expect(await reach()).toEqual([]);
    expect((await notCarriedBy(person)).length).toBeGreaterThan(0);
  });

  test('A sign-in method carries the role if a caller who may assign the role set it.', async () => {
    const byApp = newcomer(unique());
    await acceptWithPassword(await linkOf(byApp, await asking.machine(everything.join(' '))));
    await assign(byApp);
    expect((await enter(byApp.userName, { password: plantedPassword })).scopes.toSorted()).toEqual(admin);
    const bySource = newcomer(unique());
    await plantPassword(bySource, tenant, everything);
    await assign(bySource);
    expect((await enter(bySource.userName, { password: plantedPassword })).scopes.toSorted()).toEqual(admin);
    expect(await notCarriedBy(bySource)).toEqual([]);
  });

  test('A caller who may assign some roles sets a sign-in method that carries those.', async () => {
    const person = newcomer(unique());
    const helpDesk = [...scopesOfRoles(['help_desk']), 'roles:write'];
    await plantPassword(person, tenant, helpDesk);
    await assign(person, { role: 'HELP_DESK' });
    await assign(person, { role: 'AUDITOR' });
    const { scopes } = await enter(person.userName, { password: plantedPassword });
    expect(scopes.toSorted()).toEqual([...scopesOfRoles(['help_desk'])].sort());
    expect(await notCarriedBy(person, 'HELP_DESK')).toEqual([]);
    expect(await notCarriedBy(person, 'AUDITOR')).toEqual(['PASSWORD']);
  });

  test('A refresh token and a personal access token from before the role do not gain it.', async () => {
    const person = newcomer(unique());
    await plantPassword(person);
    const before = await enter(person.userName, { password: plantedPassword });
    await assign(person);
    const after = await refresh(before);
    expect([after.accessToken !== '', after.scopes]).toEqual([true, []]);
    const response = await fetch(`${service.origin}/t/${tenant}/personal-access-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${after.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'script' }),
    });
    const made = (await response.json()) as { token: string };
    expect(response.status).toBe(201);
    const found = await service.deps.apiTokenReader.find(made.token);
    expect(found?.scopes.filter((scope) => everything.includes(scope))).toEqual([]);
  });

  test('The same user of the rival tenant is not affected.', async () => {
    const [here, there] = [newcomer(unique()), service.directory.addUser(rival, unique())];
    await plantPassword(here);
    await plantPassword(there, rival, everything);
    const rows = await service.deps.database.sql.query<{ tenant: string; carried: string[] | null }>(
      `SELECT tenant, carried_roles AS carried FROM auth.credentials
        WHERE subject_id = ANY($1) AND activated_at IS NOT NULL ORDER BY tenant`,
      [[here.id, there.id]],
    );
    expect(rows.rows).toEqual([
      { tenant, carried: [] },
      { tenant: rival, carried: null },
    ]);
  });

  test('Of parallel assignments and passwords, no order makes the planted password carry the role.', async () => {
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const person = newcomer(unique());
        await service.deps.subjects.find(tenant, person.id);
        await Promise.allSettled([assign(person), plantPassword(person)]);
        const reached = await enter(person.userName, { password: plantedPassword }).catch(() => undefined);
        expect(reached?.scopes ?? []).toEqual([]);
      }),
    );
  });

  test('The account page reports that a role does not apply, and no longer after a renewal.', async () => {
    const person = newcomer(unique());
    await plantPassword(person);
    await assign(person);
    const browser = service.browser();
    const login = await browser.follow(await browser.get(accountPath));
    const form = { username: person.userName, password: plantedPassword, action: 'sign-in' };
    expect((await browser.follow(await browser.submit(login, form))).text).toContain('reset your access');
    await acceptWithPassword(
      await linkOf(person, await asking.machine(everything.join(' ')), 'resetUserAccess'),
      password,
    );
    expect((await openAccount(service.browser(), person.userName)).text).not.toContain('reset your access');
  });
});

describe('renewal', () => {
  test('assignRole names the sign-in methods that do not carry the role, and ends nothing unless requested.', async () => {
    const person = newcomer(unique());
    await plantPassword(person);
    const { assignRole } = (await assign(person)).data;
    expect(assignRole).toMatchObject({
      notCarriedBy: ['PASSWORD'],
      renewalUrl: null,
      renewalExpiresAt: null,
    });
    expect((await enter(person.userName, { password: plantedPassword })).accessToken).not.toBe('');
  });

  test('A required renewal deletes the planted sign-in method; the link of the administrator sets one that carries the role.', async () => {
    const person = newcomer(unique());
    await plantPassword(person);
    const before = await enter(person.userName, { password: plantedPassword });
    const { assignRole } = (await assign(person, { requireRenewal: true })).data;
    expect(assignRole.notCarriedBy).toEqual(['PASSWORD']);
    await expect(enter(person.userName, { password: plantedPassword })).rejects.toThrow();
    expect((await refresh(before)).accessToken).toBe('');
    const { pathname, search } = new URL(assignRole.renewalUrl);
    await acceptWithPassword(pathname + search, password);
    expect((await enter(person.userName)).scopes.toSorted()).toEqual(admin);
    expect(await notCarriedBy(person)).toEqual([]);
  });

  test('No renewal is made when every sign-in method carries the role.', async () => {
    const person = await service.person(unique());
    const { assignRole } = (await assign(person, { requireRenewal: true })).data;
    expect(assignRole).toMatchObject({ notCarriedBy: [], renewalUrl: null });
    expect((await enter(person.userName)).scopes.toSorted()).toEqual(admin);
  });

  test('A renewal of a user with a role that the caller may not assign is rejected, and the role is not assigned.', async () => {
    const person = newcomer(unique());
    await plantPassword(person);
    await assign(person);
    const limited = await asking.machine([...scopesOfRoles(['help_desk']), 'roles:write'].join(' '));
    const refused = await assign(person, { role: 'HELP_DESK', requireRenewal: true, as: limited });
    expect(codesOf(refused)).toEqual(['FORBIDDEN']);
    expect(await notCarriedBy(person, 'HELP_DESK')).toEqual(['no role']);
  });

  test('A renewal requires a scope that permits resetting access, and without it nothing changes.', async () => {
    const person = newcomer(unique());
    await plantPassword(person);
    const scopes = [...scopesOfRoles(['auditor']), 'roles:write'];
    expect(scopes).not.toEqual(expect.arrayContaining(['users:write']));
    const caller = await asking.machine(scopes.join(' '));
    const refused = await assign(person, { role: 'AUDITOR', requireRenewal: true, as: caller });
    expect(codesOf(refused)).toEqual(['FORBIDDEN']);
    expect(JSON.stringify(refused)).toContain('access:write');
    expect(await notCarriedBy(person, 'AUDITOR')).toEqual(['no role']);
    await enter(person.userName, { password: plantedPassword });
    expect((await assign(person, { role: 'AUDITOR', as: caller })).errors).toBeUndefined();
  });

  test('A user whose sign-in carries the role sets a password that carries it.', async () => {
    const person = newcomer(unique());
    const trusted = await asking.machine(everything.join(' '));
    const authenticator = await acceptWithPasskey(await linkOf(person, trusted));
    await plantPassword(person);
    await assign(person);
    expect(await notCarriedBy(person)).toEqual(['PASSWORD']);
    const browser = service.browser();
    const login = await browser.follow(await browser.get(`${accountPath}/password`));
    const page = await proveWithPasskey(browser, login, authenticator);
    const next = { present: plantedPassword, password, repeated: password };
    expect((await browser.follow(await browser.submit(page, next))).url).toContain('done=1');
    expect(await notCarriedBy(person)).toEqual([]);
  });

  test('removeRole takes no requireRenewal.', async () => {
    const person = newcomer(unique());
    const refused = await asking.ask(
      'mutation ($input: RoleInput!) { removeRole(input: $input) { user { id } } }',
      { input: { userId: person.id, role: 'AUDITOR', requireRenewal: true } },
      await asking.machine(everything.join(' ')),
    );
    expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
  });
});
