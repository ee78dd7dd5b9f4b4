import { expect, test } from '@jest/globals';
import { type NewEvent, standardTenantPolicy, type VersionedTenantPolicy } from '@ostiary/events';
import { eventually } from '@ostiary/service/testing';
import { isHandled, numbered } from '../../support/sign-in/departing.ts';
import { service, setUpOneClient } from '../../support/sign-in/one-client.ts';

setUpOneClient();

const changed = (id: string, version: number, policy?: VersionedTenantPolicy): NewEvent => ({
  tenant: id,
  type: 'tenant.updated',
  subject: id,
  version,
  actor: { kind: 'system', id: 'test' },
  payload: { id, name: id, status: 'active', ...(policy && { policy }) },
});

const tell = async (event: NewEvent): Promise<void> => {
  const one = numbered(event);
  await service.directory.send([one]);
  await eventually(() => isHandled([one]));
};

const policyOf = async (id: string) => (await service.deps.tenants.find(id))?.policy;

test('The policy of a tenant arrives with its events: only the newest applies, and a missing one changes nothing.', async () => {
  service.directory.addTenant('particular', 'Particular');
  service.directory.addTenant('indifferent', 'Indifferent');
  expect(await policyOf('particular')).toEqual(standardTenantPolicy);
  await tell(changed('particular', 3, { version: 2, settings: { requiredClientProfile: 'fapi2' } }));
  const strict = { ...standardTenantPolicy, requiredClientProfile: 'fapi2' };
  await eventually(async () => (await policyOf('particular'))?.requiredClientProfile === 'fapi2');
  // A late event, and an event of a release without policies.
  await tell(changed('particular', 2, { version: 1, settings: { introspectionByAnyClient: true } }));
  await tell(changed('particular', 4));
  expect(await policyOf('particular')).toEqual(strict);
  expect(await policyOf('indifferent')).toEqual(standardTenantPolicy);
});
