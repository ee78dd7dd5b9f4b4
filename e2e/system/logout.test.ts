import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import * as client from 'openid-client';
import { Browser } from '../support/browser.ts';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { RelyingParty } from '../support/relying-party.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, walk } from '../support/sign-in.ts';

let own: OwnSystem;
let admin: string;
let scim: ScimClient;
const parties: RelyingParty[] = [];

beforeAll(async () => {
  own = await ownSystem({ of: { auth: deliversHere } });
  const { demo } = own.demo.tenants;
  admin = await adminToken(demo);
  scim = new ScimClient(demo, demo.clients.scim.token);
});
afterAll(async () => {
  for (const party of parties) await party.stop();
  await own?.stop();
});

interface App {
  party: RelyingParty;
  config: client.Configuration;
}

/** Registers an app with back-channel logout. */
async function app(): Promise<App> {
  const party = await new RelyingParty().start();
  parties.push(party);
  const { data, errors } = await graph(
    own.demo,
    admin,
    `mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }`,
    {
      input: {
        name: 'Told',
        redirectUris: ['https://app.example/callback'],
        grantTypes: ['authorization_code', 'refresh_token'],
        requireConsent: false,
        backchannelLogoutUri: party.uri,
        backchannelLogoutSessionRequired: true,
      },
    },
  );
  expect(errors).toEqual([]);
  const { client: registered, clientSecret } = data.registerClient;
  const config = await client.discovery(
    new URL(own.demo.tenants.demo.issuer),
    registered.id,
    undefined,
    client.ClientSecretBasic(clientSecret),
    { execute: [client.allowInsecureRequests] },
  );
  const metadata = config.serverMetadata();
  expect(metadata).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
  party.registeredAs({ issuer: metadata.issuer, jwksUri: metadata.jwks_uri ?? '', clientId: registered.id });
  return { party, config };
}

/** Signs a user in with openid-client. @returns the claims of the ID token, and the token */
async function signIn({ config }: App, user: { userName: string; password: string }, browser: Browser) {
  const verifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: 'https://app.example/callback',
    scope: 'openid profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { url } = await walk(browser, address, user);
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  return { claims: tokens.claims(), idToken: tokens.id_token ?? '' };
}

async function newcomer() {
  const user = { userName: unique('logout'), password: unique('correct horse battery') };
  return { ...user, id: (await scim.createUser(user)).id as string };
}

test('A user who signs out at one app is signed out at all apps, also if auth is killed before it notifies them.', async () => {
  const [first, second] = [await app(), await app()];
  const user = await newcomer();
  const browser = new Browser(own.demo.origin);
  const there = await signIn(first, user, browser);
  await signIn(second, user, browser);
  // Both apps receive the request and do not respond, so these attempts have failed.
  for (const { party } of [first, second]) party.intercept = () => undefined;
  await browser.open(client.buildEndSessionUrl(first.config, { id_token_hint: there.idToken }));
  await eventually(
    async () => first.party.requests + second.party.requests,
    (count) => count >= 2,
  );
  await own.system.kill('auth', 'SIGKILL');
  for (const { party } of [first, second]) party.intercept = undefined;
  await own.system.ready('auth', 20_000);
  // The killed process held leases on both deliveries until they expire.
  await eventually(
    async () => Math.min(first.party.loggedOut.length, second.party.loggedOut.length),
    (count) => count >= 1,
  );
  for (const { party } of [first, second]) {
    expect(party.refused).toEqual([]);
    expect(party.loggedOut).toEqual([expect.objectContaining({ sub: user.id, sid: there.claims?.sid })]);
  }
});

test('A user offboarded over SCIM is signed out at their apps, and the auditor sees each access path and the notification of the apps.', async () => {
  const notified = await app();
  const user = await newcomer();
  const { claims } = await signIn(notified, user, new Browser(own.demo.origin));
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }]);
  await eventually(
    async () => notified.party.loggedOut.length,
    (count) => count === 1,
  );
  expect(notified.party.loggedOut).toMatchObject([{ sub: user.id, sid: claims?.sid }]);
  await scim.call('DELETE', `/Users/${user.id}`);
  const report = await eventually(
    async () =>
      (
        await graph(
          own.demo,
          admin,
          `query ($id: ID!) { departures(userId: $id) { trigger closedAt actor { kind } traceId
             doors { name count closedAt } deliveries { kind receiverName state deliveredAt } } }`,
          { id: user.id },
        )
      ).data.departures,
    // Deleting a deactivated user is recorded as another offboarding only if it revokes something.
    (departures) => departures?.at(-1)?.deliveries[0]?.state === 'DELIVERED',
  );
  expect(report.at(-1)).toMatchObject({
    trigger: 'USER_DEACTIVATED',
    actor: { kind: 'CONNECTOR' },
    deliveries: [{ kind: 'BACKCHANNEL_LOGOUT', receiverName: 'Told', deliveredAt: expect.any(String) }],
  });
  expect(
    report
      .at(-1)
      .doors.slice(0, 3)
      .map(({ count }: { count: number }) => count),
  ).toEqual([1, 1, 1]);
});
