import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import * as client from 'openid-client';
import { Secret, TOTP } from 'otpauth';
import { Browser, type Page } from '../support/browser.ts';
import { type DemoTenant, type DemoUser, runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant } = demo.tenants;

async function employ(): Promise<DemoUser & { id: string }> {
  const user = { userName: unique('stepper'), password: unique('correct horse battery') };
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  return { ...user, ...(await scim.createUser(user)) };
}

const appCode = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Waits until the app shows another code, because each code is accepted once. */
const nextCode = (secret: string, last: string): Promise<string> =>
  eventually(
    async () => appCode(secret),
    (code) => code !== last,
  );

/** Sets up an authenticator app on the account pages. */
async function setUpApp(user: DemoUser): Promise<{ secret: string; used: string }> {
  const browser = new Browser(demo.origin);
  const login = await browser.open(`${tenant.issuer}/account/totp`);
  const offer = await browser.submit(login, { username: user.userName, password: user.password });
  const secret = offer.root.querySelector('code.typed')?.text.replaceAll(' ', '') ?? '';
  const used = appCode(secret);
  const codes = await browser.submit(offer, { code: used });
  expect(codes.root.querySelectorAll('.codes code')).toHaveLength(10);
  return { secret, used };
}

/** Returns the parameters of a challenge (RFC 9110 §11.2). */
const parametersOf = (challenge: string): Record<string, string> =>
  Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1], match[2]]));

const tokens = (of: DemoTenant): URL => new URL(`${of.issuer}/personal-access-tokens`);

describe('step-up (RFC 9470) with openid-client', () => {
  test('A client reads the required sign-in from the challenge, requests it, and gets access.', async () => {
    const user = await employ();
    const { config, tokens: weak } = await signIn(demo, tenant, user, {
      scope: 'openid profile self:tokens',
    });
    const { secret, used } = await setUpApp(user);

    const make = (accessToken: string) =>
      client.fetchProtectedResource(
        config,
        accessToken,
        tokens(tenant),
        'POST',
        JSON.stringify({ name: 'backup', scope: 'openid' }),
        new Headers({ 'content-type': 'application/json' }),
      );
    // openid-client throws an error with the parsed challenge.
    const refused = await make(weak.access_token).catch((error: unknown) => error);
    if (!(refused instanceof client.WWWAuthenticateChallengeError)) throw refused;
    expect(refused.response.status).toBe(401);
    const { error, acr_values, max_age } = parametersOf(
      refused.response.headers.get('www-authenticate') ?? '',
    );
    expect(error).toBe('insufficient_user_authentication');
    expect(acr_values).toBe('urn:ostiary:acr:2fa phr');
    expect(max_age).toBe('900');

    const verifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: 'http://127.0.0.1:53123/callback',
      scope: 'openid profile self:tokens',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      acr_values: acr_values ?? '',
      max_age: max_age ?? '',
    });
    const browser = new Browser(demo.origin);
    let page: Page = await browser.submit(await browser.open(address), {
      username: user.userName,
      password: user.password,
    });
    expect(page.url.pathname).toMatch(/\/login\/verify$/);
    page = await browser.submit(page, { code: await nextCode(secret, used) }, /continue/i);
    if (page.url.origin === demo.origin) page = await browser.submit(page, {}, /allow/i);
    const strong = await client.authorizationCodeGrant(config, page.url, {
      pkceCodeVerifier: verifier,
      maxAge: Number(max_age),
    });
    expect(strong.claims()).toMatchObject({ acr: 'urn:ostiary:acr:2fa', amr: ['pwd', 'otp', 'mfa'] });
    const made = await make(strong.access_token);
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({ token: expect.stringMatching(/^ost_pat_/) });
  });

  test('The graph requires the same through the gateway, with a separate error code.', async () => {
    const user = await employ();
    const { tokens: weak } = await signIn(demo, tenant, user, { scope: 'openid profile self:tokens' });
    await setUpApp(user);
    const { errors } = await graph(
      demo,
      weak.access_token,
      'mutation { createPersonalAccessToken(input: { name: "x" }) { token } }',
    );
    expect(errors[0]?.extensions).toEqual({
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      acrValues: ['urn:ostiary:acr:2fa', 'phr'],
      maxAge: 900,
    });
  });
});

describe('tokens end with their owner', () => {
  const doors = (token: string): Record<string, () => Promise<number>> => {
    const get = async (address: string | URL) => {
      const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
      await response.text();
      return response.status;
    };
    return {
      userinfo: () => get(`${tenant.issuer}/userinfo`),
      scim: async () => (await new ScimClient(tenant, token).call('GET', '/Me')).status,
      graph: async () => (await graph(demo, token, '{ me { id } }')).status,
      rest: () => get(tokens(tenant)),
    };
  };

  test.each(['deactivated', 'deleted', 'signed out everywhere'])(
    'A personal access token ends when its owner is %s.',
    async (how) => {
      const user = await employ();
      const { tokens: own } = await signIn(demo, tenant, user, { scope: 'openid profile self:tokens' });
      const { data } = await graph(
        demo,
        own.access_token,
        'mutation { createPersonalAccessToken(input: { name: "x" }) { token } }',
      );
      const { token } = data.createPersonalAccessToken;
      const open = doors(token);
      for (const [name, door] of Object.entries(open)) expect([name, await door()]).toEqual([name, 200]);

      const scim = new ScimClient(tenant, tenant.clients.scim.token);
      if (how === 'deactivated') {
        await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }]);
      } else if (how === 'deleted') {
        expect((await scim.call('DELETE', `/Users/${user.id}`)).status).toBe(204);
      } else {
        const end = 'mutation ($id: ID) { revokeAllSessions(input: { userId: $id }) { user { id } } }';
        expect((await graph(demo, await adminToken(tenant), end, { id: user.id })).errors).toEqual([]);
      }
      await Promise.all(Object.values(open).map((door) => eventually(door, (status) => status === 401)));
      for (const door of Object.values(open)) expect(await door()).toBe(401);
    },
  );
});

describe('invalid input through the edge', () => {
  test.each(['/login', '/consent', '/account/password', '/device', '/invitation', '/login/recover'])(
    'A form that is too large or missing at %s is answered with a page and never with 5xx.',
    async (path) => {
      const send = async (type: string, body: string) => {
        const response = await fetch(`${tenant.issuer}${path}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': type },
          body,
        });
        expect(response.headers.get('content-type')).toContain('text/html');
        expect(await response.text()).toContain('<h1>');
        return response.status;
      };
      for (let round = 0; round < 5; round += 1) {
        expect(await send('application/x-www-form-urlencoded', `a=${'x'.repeat(500_000)}`)).toBe(413);
        expect(await send('application/json', JSON.stringify({ a: 'x'.repeat(500_000) }))).toBe(415);
      }
    },
  );
});
