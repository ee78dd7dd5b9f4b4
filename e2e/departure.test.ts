import { beforeAll, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { type DemoUser, runningDemo, unique } from './story/demo.ts';
import { eventually } from './story/eventually.ts';
import { graph, meQuery } from './story/graph.ts';
import { ScimClient } from './story/scim.ts';
import { adminToken, authorize, everyOidcScope, type SignedIn, signIn } from './story/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let scim: ScimClient;

beforeAll(() => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});

interface Person {
  id: string;
  user: DemoUser;
  signedIn: SignedIn;
}

async function employ(): Promise<Person> {
  const user = { userName: unique('leaver'), password: unique('correct horse battery') };
  const { id } = await scim.createUser(user);
  return { id, user, signedIn: await signIn(demo, tenant, user) };
}

const graphDoor = async ({ signedIn }: Person) =>
  (await graph(demo, signedIn.tokens.access_token, meQuery)).status;
const userinfoDoor = async ({ signedIn }: Person) =>
  (
    await fetch(`${tenant.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${signedIn.tokens.access_token}` },
    })
  ).status;
const scimDoor = async ({ signedIn }: Person) =>
  (await new ScimClient(tenant, signedIn.tokens.access_token).call('GET', '/Me')).status;

/** Whether the browser still gets a code without signing in again. */
async function sessionDoor({ signedIn }: Person): Promise<boolean> {
  const address = client.buildAuthorizationUrl(signedIn.config, {
    redirect_uri: 'http://127.0.0.1:53123/callback',
    scope: everyOidcScope,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 'x',
    prompt: 'none',
  });
  return (await signedIn.browser.open(address)).url.searchParams.has('code');
}

async function expectEveryDoorOpen(person: Person): Promise<void> {
  expect(await graphDoor(person)).toBe(200);
  expect(await userinfoDoor(person)).toBe(200);
  expect(await scimDoor(person)).toBe(200);
  expect(await sessionDoor(person)).toBe(true);
}

async function expectEveryDoorClosed(person: Person): Promise<void> {
  const closing = { graphDoor, userinfoDoor, scimDoor };
  for (const door of Object.values(closing)) {
    await eventually(
      () => door(person),
      (status) => status === 401,
      2_000,
    );
  }
  // Once closed, closed for good.
  for (const door of Object.values(closing)) expect(await door(person)).toBe(401);
  const { config, tokens } = person.signedIn;
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await sessionDoor(person)).toBe(false);
  await expect(authorize(demo, tenant, person.user)).rejects.toThrow(/the sign-in ended at/);
}

describe('when a person leaves, every door closes', () => {
  test.each([
    ['RFC 7644', [{ op: 'replace', path: 'active', value: false }]],
    ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Okta', [{ op: 'replace', value: { active: false } }]],
  ])('PATCH active false in the shape of %s', async (_source, operations) => {
    const person = await employ();
    await expectEveryDoorOpen(person);
    const answer = await scim.patch(`/Users/${person.id}`, operations);
    expect([200, 204]).toContain(answer.status);
    await expectEveryDoorClosed(person);
  });

  test('DELETE', async () => {
    const person = await employ();
    expect((await scim.call('DELETE', `/Users/${person.id}`)).status).toBe(204);
    await expectEveryDoorClosed(person);
  });

  test('deactivateUser in the graph', async () => {
    const person = await employ();
    const answer = await graph(
      demo,
      await adminToken(tenant),
      'mutation ($input: UserVersionInput!) { deactivateUser(input: $input) { user { id active } } }',
      { input: { id: person.id } },
    );
    expect(answer.errors).toEqual([]);
    await expectEveryDoorClosed(person);
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
    const [leaver, stayer] = [await employ(), await employ()];
    await scim.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'active', value: false }]);
    await expectEveryDoorClosed(leaver);
    await expectEveryDoorOpen(stayer);

    await scim.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'active', value: true }]);
    const back = await eventually(
      () => signIn(demo, tenant, leaver.user).catch(() => undefined),
      (signedIn) => signedIn !== undefined,
    );
    expect((await graph(demo, back?.tokens.access_token, meQuery)).status).toBe(200);
    expect(await graphDoor(leaver)).toBe(401);
    expect(await userinfoDoor(leaver)).toBe(401);
    await expect(
      client.refreshTokenGrant(leaver.signedIn.config, leaver.signedIn.tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('it takes milliseconds', async () => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const person = await employ();
      await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }]);
      const acknowledged = performance.now();
      await eventually(
        () => graphDoor(person),
        (status) => status === 401,
        2_000,
      );
      delays.push(performance.now() - acknowledged);
    }
    expect(Math.max(...delays)).toBeLessThan(1_000);
  });
});
