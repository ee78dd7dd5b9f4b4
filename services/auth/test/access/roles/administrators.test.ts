import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeRole } from '../../../src/access/roles/data/roles.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const ask = (of: string, as: Parameters<TestService['internal']>[3] = 'provisioning') =>
  service.internal('GET', `/tenants/${of}/administrators`, undefined, as);

test('A user is listed as administrator from assignment to removal of a role, in their own tenant only.', async () => {
  const [ada, grace, theirs] = [
    await service.person('ada'),
    await service.person('grace'),
    await service.person('eve', { tenant: rival }),
  ];
  const give = (subject: string, of = tenant) =>
    service.internal('POST', `/tenants/${of}/roles`, { subject, role: 'tenant_admin' });
  expect(await ask(tenant)).toEqual({ status: 200, body: { subjects: [], groups: [] } });
  expect((await give(ada.id)).status).toBe(204);
  expect((await give(theirs.id, rival)).status).toBe(204);
  expect((await ask(tenant)).body).toEqual({ subjects: [ada.id], groups: [] });
  expect((await ask(rival)).body).toEqual({ subjects: [theirs.id], groups: [] });
  await give(grace.id);
  expect((await ask(tenant)).body).toEqual({ subjects: [ada.id, grace.id].sort(), groups: [] });
  await removeRole(service.deps.database.sql, tenant, ada.id, 'tenant_admin');
  expect((await ask(tenant)).body).toEqual({ subjects: [grace.id], groups: [] });
});

test('The list of administrators is for the provisioning service only, about existing tenants.', async () => {
  for (const as of ['gateway', 'directory', 'operator'] as const) {
    expect((await ask(tenant, as)).status).toBe(403);
  }
  expect((await ask('nobody')).status).toBe(404);
  const anonymous = await fetch(`${service.origin}/internal/v1/tenants/${tenant}/administrators`);
  expect(anonymous.status).toBe(401);
});
