import { beforeAll, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { runningDemo, unique } from './story/demo.ts';
import { Doors } from './story/doors.ts';
import { eventually } from './story/eventually.ts';
import { graph, meQuery } from './story/graph.ts';
import { ScimClient } from './story/scim.ts';
import { adminToken, authorize } from './story/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let scim: ScimClient;
let doors: Doors;

beforeAll(() => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  doors = new Doors(demo, tenant, scim);
});

describe('when a person leaves, every door closes', () => {
  test.each([
    ['RFC 7644', [{ op: 'replace', path: 'active', value: false }]],
    ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Okta', [{ op: 'replace', value: { active: false } }]],
  ])('PATCH active false in the shape of %s', async (_source, operations) => {
    const person = await doors.employ();
    await doors.expectOpen(person);
    const answer = await scim.patch(`/Users/${person.id}`, operations);
    expect([200, 204]).toContain(answer.status);
    await doors.expectClosed(person);
  });

  test('DELETE', async () => {
    const person = await doors.employ();
    expect((await scim.call('DELETE', `/Users/${person.id}`)).status).toBe(204);
    await doors.expectClosed(person);
  });

  test('deactivateUser in the graph', async () => {
    const person = await doors.employ();
    const answer = await graph(
      demo,
      await adminToken(tenant),
      'mutation ($input: UserVersionInput!) { deactivateUser(input: $input) { user { id active } } }',
      { input: { id: person.id } },
    );
    expect(answer.errors).toEqual([]);
    await doors.expectClosed(person);
  });

  test('a code that was not redeemed yet is worth nothing any more', async () => {
    const user = { userName: unique('leaver'), password: unique('correct horse battery') };
    const { id } = await scim.createUser(user);
    const authorization = await authorize(demo, tenant, user);
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
    await eventually(
      async () =>
        (await graph(demo, await adminToken(tenant), `{ user(id: "${id}") { active } }`)).data.user.active,
      (active) => active === false,
    );
    // However fast the event was: a token that came of it is dead.
    const token = await client
      .authorizationCodeGrant(authorization.config, authorization.callback, {
        pkceCodeVerifier: authorization.verifier,
        expectedState: authorization.state,
        expectedNonce: authorization.nonce,
      })
      .then(
        (tokens) => tokens.access_token,
        () => undefined,
      );
    if (token) {
      await eventually(
        async () => (await graph(demo, token, meQuery)).status,
        (status) => status === 401,
        2_000,
      );
    }
  });

  test('nobody else is touched, and who comes back gets in with new keys only', async () => {
    const [leaver, stayer] = [await doors.employ(), await doors.employ()];
    await scim.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'active', value: false }]);
    await doors.expectClosed(leaver);
    await doors.expectOpen(stayer);

    await scim.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'active', value: true }]);
    const back = await doors.return(leaver);
    expect((await graph(demo, back.tokens.access_token, meQuery)).status).toBe(200);
    await doors.expectDead(leaver);
  });

  test('it takes milliseconds', async () => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const person = await doors.employ();
      await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }]);
      const acknowledged = performance.now();
      await eventually(
        () => doors.graph(person),
        (status) => status === 401,
        2_000,
      );
      delays.push(performance.now() - acknowledged);
    }
    expect(Math.max(...delays)).toBeLessThan(1_000);
  });
});
