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

/**
 * The requests of each identity source. `departure-doors.test.ts` covers every access path and trigger, and the chaos run
 * measures the time until access ends.
 */
describe('offboarding of a user closes every access path', () => {
  test.each([
    ['RFC 7644', [{ op: 'replace', path: 'active', value: false }]],
    ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Okta', [{ op: 'replace', value: { active: false } }]],
  ])('PATCH of active to false in the form of %s revokes all access.', async (_source, operations) => {
    const person = await doors.employ();
    await doors.expectOpen(person);
    const answer = await scim.patch(`/Users/${person.id}`, operations);
    expect([200, 204]).toContain(answer.status);
    await doors.expectClosed(person);
  });
});
