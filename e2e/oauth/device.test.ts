import { describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { Browser, type Page } from '../support/browser.ts';
import { runningDemo } from '../support/demo.ts';
import { discover, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const scope = 'openid profile offline_access';

async function begin() {
  const config = await discover(tenant, tenant.clients.device.client_id);
  return { config, device: await client.initiateDeviceAuthorization(config, { scope }) };
}

/** Opens the page that asks whether the device may have access. */
async function question(device: client.DeviceAuthorizationResponse): Promise<[Browser, Page]> {
  const browser = new Browser(demo.origin);
  const entry = await browser.open(device.verification_uri);
  const { userName, password } = tenant.users.alice;
  const login = await browser.submit(entry, { user_code: device.user_code });
  return [browser, await browser.submit(login, { username: userName, password })];
}

describe('openid-client on a device', () => {
  test('The device waits while a user follows its link, signs in and allows it, and then gets tokens and refreshes them.', async () => {
    const { config, device } = await begin();
    expect(device.verification_uri_complete).toBe(`${tenant.issuer}/device?user_code=${device.user_code}`);
    const polling = client.pollDeviceAuthorizationGrant(config, device);
    const page = await walk(
      new Browser(demo.origin),
      new URL(device.verification_uri_complete ?? ''),
      tenant.users.alice,
    );
    expect([page.status, page.url.pathname]).toEqual([200, '/t/demo/device/finished']);

    const tokens = await polling;
    expect(tokens.scope).toBe(scope);
    const subject = tokens.claims()?.sub ?? '';
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, subject);
    expect(userinfo.preferred_username).toBe(tenant.users.alice.userName);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(subject);
  });

  test('The device receives access_denied when the user refuses.', async () => {
    const { config, device } = await begin();
    const [browser, page] = await question(device);
    expect(page.html).toContain(device.user_code);
    expect(page.html).toContain('Demo device');
    await browser.submit(page, {}, /don.t allow/i);
    await expect(client.pollDeviceAuthorizationGrant(config, device)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  test('A user code of one tenant is rejected in another tenant.', async () => {
    const { device } = await begin();
    const browser = new Browser(demo.origin);
    const page = await browser.submit(await browser.open(`${rival.issuer}/device`), {
      user_code: device.user_code,
    });
    expect([page.status, page.url.pathname]).toEqual([400, '/t/rival/device']);
  });
});

describe('oauth4webapi on a device', () => {
  test('Of 50 parallel polls of one allowed code, one gets tokens.', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(tenant.issuer);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
    );
    const device: oauth.Client = { client_id: tenant.clients.device.client_id };
    const codes = await oauth.processDeviceAuthorizationResponse(
      server,
      device,
      await oauth.deviceAuthorizationRequest(server, device, oauth.None(), { scope }, insecure),
    );
    const [browser, page] = await question(codes);
    await browser.submit(page, {}, /allow/i);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, async () =>
        oauth.processDeviceCodeResponse(
          server,
          device,
          await oauth.deviceCodeGrantRequest(server, device, oauth.None(), codes.device_code, insecure),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ error: 'invalid_grant' });
    }
  });
});

test('openid-client pushes an authorization request and signs a user in with it.', async () => {
  const config = await discover(tenant, tenant.clients.web.client_id);
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const address = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: 'http://127.0.0.1:53123/callback',
    scope: 'openid profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const page = await walk(new Browser(demo.origin), address, tenant.users.bob);
  const tokens = await client.authorizationCodeGrant(config, page.url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  expect(tokens.claims()?.aud).toBe(tenant.clients.web.client_id);
  expect((await new Browser(demo.origin).open(address)).status).toBe(400);
});
