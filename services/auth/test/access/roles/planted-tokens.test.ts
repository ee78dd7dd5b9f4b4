import { expect, test } from '@jest/globals';
import { scopesOfRoles } from '../../../src/access/roles/domain/roles.ts';
import { plantedTokens } from '../../support/sign-in/planted-tokens.ts';
import { notCarriedBy, plantedPassword, plantPassword, roleSources } from '../../support/sign-in/planting.ts';
import { service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { password, tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const admin = [...scopesOfRoles(['tenant_admin'])].sort();
let count = 0;
const unique = () => {
  count += 1;
  return `token-of-planted-${count}`;
};

const table = Object.entries(plantedTokens).flatMap(([token, obtain]) =>
  Object.entries(roleSources).map(([source, give]) => [token, source, obtain, give] as const),
);

test.each(table)(
  'Through %s, a planted password does not give a role assigned %s, and a trusted password gives it.',
  async (_token, _source, obtain, give) => {
    const planted = service.directory.addUser(tenant, unique());
    await plantPassword(planted);
    await give(planted);
    expect(await notCarriedBy(planted)).toEqual(['PASSWORD']);
    expect(await obtain(planted, plantedPassword)).toEqual([]);
    const trusted = await service.person(unique());
    await give(trusted);
    expect(await obtain(trusted, password)).toEqual(admin);
  },
);
