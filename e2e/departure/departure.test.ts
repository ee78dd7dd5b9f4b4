import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { watchTime } from '../support/cost/time-had.ts';
import { runningDemo } from '../support/demo.ts';
import { Doors } from '../support/doors.ts';
import { ScimClient } from '../support/scim.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let scim: ScimClient;
let doors: Doors;
const time = watchTime();

beforeAll(() => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  doors = new Doors(demo, tenant, scim);
});

/** Every door and every trigger: departure-doors.test.ts. Here, what happens in the shape of each identity source, and how fast. */
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

  test('The doors close within milliseconds of the response.', async () => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const person = await doors.employ();
      await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }]);
      const acknowledged = performance.now();
      await eventually(
        () => doors.graph(person),
        (status) => status === 401,
      );
      delays.push(await time.since(acknowledged));
    }
    expect(Math.max(...delays)).toBeLessThan(1_000);
  });
});
