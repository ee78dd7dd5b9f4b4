import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';
import { Doors } from '../support/doors.ts';
import { ScimClient } from '../support/scim.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let scim: ScimClient;
let doors: Doors;

beforeAll(() => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  doors = new Doors(demo, tenant, scim);
});

/** Every door and every trigger: departure-doors.test.ts. Here, the request of each identity source. The chaos run measures how fast access ends. */
describe('when a person leaves, every door closes', () => {
  test.each([
    ['RFC 7644', [{ op: 'replace', path: 'active', value: false }]],
    ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Okta', [{ op: 'replace', value: { active: false } }]],
  ])('PATCH of active to false in the form of %s closes every door.', async (_source, operations) => {
    const person = await doors.employ();
    await doors.expectOpen(person);
    const answer = await scim.patch(`/Users/${person.id}`, operations);
    expect([200, 204]).toContain(answer.status);
    await doors.expectClosed(person);
  });
});
