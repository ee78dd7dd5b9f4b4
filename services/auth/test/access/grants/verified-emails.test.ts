import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const known = async (id: string, of = tenant) => (await service.deps.subjects.find(of, id))?.profile.emails;
const isKnown = async (id: string, emails: object[]) =>
  JSON.stringify(await known(id)) === JSON.stringify(emails);
const vouched = [{ value: 'ada@example.com', verified: true as const }, { value: 'b@example.com' }];

test('The verification state of an address arrives with the event and changes with the next one.', async () => {
  const { id } = service.directory.addUser(tenant, 'ada');
  await service.directory.change(tenant, id, 'user.created', { emails: vouched });
  await eventually(() => isKnown(id, vouched));
  const emails = [{ value: 'ada@example.com' }];
  await service.directory.change(tenant, id, 'user.updated', { emails });
  await eventually(() => isKnown(id, emails));
});

test('The verification state also arrives with the answer about a user who is not stored yet.', async () => {
  const byId = service.directory.addUser(tenant, 'grace');
  const byName = service.directory.addUser(tenant, 'joan');
  Object.assign(byId, { emails: vouched });
  Object.assign(byName, { emails: vouched });
  expect(await known(byId.id)).toEqual(vouched);
  const found = await service.deps.subjects.askByUserName(tenant, 'joan');
  expect(found?.profile.emails).toEqual(vouched);
});

test('The directory returns no address of a user of another tenant.', async () => {
  const { id } = service.directory.addUser(tenant, 'hedy');
  expect(await known(id, 'rival')).toBeUndefined();
});
