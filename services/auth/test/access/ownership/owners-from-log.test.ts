import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import {
  asking,
  column,
  newAccount,
  newApiKey,
  newClient,
  setUpChanging,
  unique,
} from '../../support/sign-in/changing.ts';
import { tenant } from '../../support/sign-in/service.ts';

// For credentials from before owners existed, the migration reads the security log.

setUpChanging();

const migration = readFileSync(
  new URL('../../../prisma/migrations/20261122213300_owners_from_the_log/migration.sql', import.meta.url),
  'utf8',
);
const migrate = () =>
  asking.service.deps.database.transaction(async (tx) => {
    await tx.query('SET LOCAL search_path TO auth');
    await tx.query(migration);
  });

async function manager(): Promise<string> {
  const { id } = await asking.service.person(unique());
  await asking.service.internal('POST', `/tenants/${tenant}/roles`, { subject: id, role: 'tenant_admin' });
  return id;
}
const says = (resourceId: string, actor: object) =>
  asking.service.deps.database.sql.query(
    `UPDATE auth.security_log SET actor = $3 WHERE tenant = $1 AND resource_id = $2`,
    [tenant, resourceId, JSON.stringify(actor)],
  );
const ownerOf = (id: string) =>
  column(
    'SELECT owner_id::text AS value FROM auth.credential_owners WHERE tenant = $1 AND credential_id = $2',
    [tenant, id],
  );

test('The migration sets the eligible creator or represented user as owner, and keeps existing owners.', async () => {
  const [maker, represented, another, gone, demoted] = await Promise.all(Array.from({ length: 5 }, manager));
  await asking.service.directory.change(tenant, gone ?? '', 'user.deactivated');
  await eventually(
    async () => (await asking.service.deps.subjects.find(tenant, gone ?? ''))?.active === false,
  );
  await asking.service.deps.subjects.removeRole(tenant, demoted ?? '', 'tenant_admin');
  const of = async (make: () => Promise<string>, actor: object): Promise<string> => {
    const id = await make();
    await says(id, actor);
    return id;
  };
  const byUser = (id = '') => ({ kind: 'user', id });
  const [client, account, key] = [
    await of(newClient, byUser(maker)),
    await of(newAccount, { kind: 'client', id: 'assistant', onBehalfOf: represented }),
    await of(newApiKey, byUser(maker)),
  ];
  const nobodys = [
    await of(newClient, byUser(gone)),
    await of(newAccount, byUser(demoted)),
    await of(newClient, { kind: 'client', id: maker }),
    await newClient(),
  ];
  const owned = await of(newClient, byUser(maker));
  await setOwner(asking.service.deps.database.sql, tenant, 'client', owned, {
    kind: 'user',
    id: another ?? '',
  });
  for (const _ of ['once', 'again']) {
    await migrate();
    expect([await ownerOf(client), await ownerOf(account), await ownerOf(key), await ownerOf(owned)]).toEqual(
      [maker, represented, maker, another],
    );
    for (const id of nobodys) expect(await ownerOf(id)).toBe('');
  }
});
