import { describe, expect, test } from '@jest/globals';
import { scopesOfRoles } from '../../../src/access/roles/domain/roles.ts';
import { carriedByAll } from '../../../src/tenancy/users/domain/carried-roles.ts';
import { addApp, plantedFactors } from '../../support/sign-in/planted-factors.ts';
import type { Plant } from '../../support/sign-in/planted-ways.ts';
import {
  codeOf,
  enter,
  notCarriedBy,
  type Planted,
  plantedPassword,
  plantPassword,
  roleSources,
} from '../../support/sign-in/planting.ts';
import { everything, service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { password, tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const admin = [...scopesOfRoles(['tenant_admin'])].sort();
let count = 0;

/** Replaces the password as an administrator; factors that were added with the previous one stay. */
async function replacePassword(person: Planted): Promise<void> {
  const staged = await service.internal('POST', `/tenants/${tenant}/credentials`, {
    subject: person.id,
    password,
  });
  await service.internal('POST', `/tenants/${tenant}/credentials/${staged.body.ticket}/activate`);
}

const table = Object.entries<Plant>(plantedFactors).flatMap(([way, plant]) =>
  Object.entries(roleSources).map(([source, give]) => [way, source, plant, give] as const),
);

async function planted(): Promise<Planted> {
  count += 1;
  const person = service.directory.addUser(tenant, `factor-${count}`);
  await plantPassword(person);
  return person;
}

describe('methods added with a planted password', () => {
  test.each(table)(
    'After %s was added so, a role assigned %s does not apply.',
    async (_way, _source, plant, give) => {
      const person = await planted();
      const reach = await plant(person);
      await replacePassword(person);
      await give(person);
      expect(await notCarriedBy(person)).not.toContain('PASSWORD');
      expect(await reach()).toEqual([]);
      expect((await notCarriedBy(person)).length).toBeGreaterThan(0);
    },
  );

  test('A factor that is added with a sign-in method that carries the role carries it, too.', async () => {
    count += 1;
    const person = await service.person(`factor-${count}`);
    const { app } = await addApp(person, password);
    await roleSources.directly(person);
    expect((await enter(person.userName, { code: codeOf(app) })).scopes.toSorted()).toEqual(admin);
    expect(await notCarriedBy(person)).toEqual([]);
  });

  test('A planted password beside the user’s own authenticator app does not carry the role.', async () => {
    count += 1;
    const person = await service.person(`factor-${count}`);
    const { app } = await addApp(person, password);
    await plantPassword(person);
    await roleSources.directly(person);
    const reached = await enter(person.userName, { password: plantedPassword, code: codeOf(app) });
    expect(reached.scopes).toEqual([]);
    expect(await notCarriedBy(person)).toEqual(['PASSWORD']);
  });
});

test.each([
  [[], null],
  [[null, null], null],
  [[null, ['auditor']], ['auditor']],
  [[['auditor', 'help_desk'], null, ['help_desk']], ['help_desk']],
  [[['auditor'], []], []],
])('Sign-in methods %j carry together %j.', (ways, together) => {
  expect(carriedByAll(ways)).toEqual(together);
});

test('The scopes of an administrator are those of every role.', () => {
  expect(admin).toEqual(everything.toSorted());
});
