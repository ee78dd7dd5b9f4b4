import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { Secret, TOTP } from 'otpauth';
import { Browser, type Page } from '../support/browser.ts';
import { type DemoTenant, type DemoUser, runningDemo, unique } from '../support/demo.ts';
import { graph, meQuery } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, discover, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const redirectUri = 'http://127.0.0.1:53123/callback';
const afterLogout = 'http://127.0.0.1:53123/signed-out';
const twoFactors = 'urn:ostiary:acr:2fa';

/** Registers a confidential web application of a tenant over the graph. */
async function application(input: object = {}, of: DemoTenant = tenant): Promise<client.Configuration> {
  const { data, errors } = await graph(
    demo,
    await adminToken(of),
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
    {
      input: {
        name: unique('web'),
        redirectUris: [redirectUri],
        postLogoutRedirectUris: [afterLogout],
        grantTypes: ['authorization_code', 'refresh_token'],
        scopes: ['openid', 'profile', 'email', 'offline_access'],
        ...input,
      },
    },
  );
  expect(errors).toEqual([]);
  return discover(of, data.registerClient.client.id, data.registerClient.clientSecret);
}

/** Makes an authorization request with all checks of openid-client and returns the result. */
async function request(
  config: client.Configuration,
  parameters: Record<string, string>,
  follow: (address: URL) => Promise<Page>,
  checks: { maxAge?: number } = {},
) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const page = await follow(
    client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...parameters,
    }),
  );
  return client.authorizationCodeGrant(config, page.url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
    ...checks,
  });
}

const as =
  (user: DemoUser, browser = new Browser(demo.origin)) =>
  (address: URL) =>
    walk(browser, address, user);

describe('openid-client with the claims request parameter (OpenID Connect Core §5.5)', () => {
  test('Requested claims are returned where they are requested, one in the ID token, another at userinfo, and no others.', async () => {
    const config = await application();
    const tokens = await request(
      config,
      { claims: JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { name: null } }) },
      as(tenant.users.alice),
    );
    const claims = tokens.claims();
    expect(claims?.email).toEqual(expect.stringContaining('@'));
    expect(claims).not.toHaveProperty('name');
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    expect(userinfo.name).toEqual(expect.any(String));
    expect(userinfo).not.toHaveProperty('email');
  });

  test('A client gets no claim that its scopes do not cover.', async () => {
    const config = await application({ scopes: ['openid'] });
    const tokens = await request(
      config,
      { claims: JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } }) },
      as(tenant.users.alice),
    );
    expect(tokens.claims()).not.toHaveProperty('email');
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
    expect(Object.keys(userinfo)).toEqual(['sub']);
  });

  test('A requested sub admits one user, and another user is rejected.', async () => {
    const config = await application();
    const alice = tenant.users.alice;
    const browser = new Browser(demo.origin);
    const { sub = '' } = (await request(config, {}, as(alice, browser))).claims() ?? {};
    const claims = JSON.stringify({ id_token: { sub: { value: sub } } });
    const again = await request(config, { claims, prompt: 'none' }, as(alice, browser));
    expect(again.claims()?.sub).toBe(sub);
    const other = new Browser(demo.origin);
    await request(config, {}, as(tenant.users.bob, other));
    await expect(
      request(config, { claims, prompt: 'none' }, as(tenant.users.bob, other)),
    ).rejects.toMatchObject({ error: 'login_required' });
  });
});

describe('openid-client with pairwise subjects (OpenID Connect Core §8)', () => {
  const pairwise = (of: DemoTenant = tenant) =>
    application({ subjectType: 'PAIRWISE', scopes: ['openid', 'profile', 'offline_access'] }, of);

  test('ID token, userinfo and refresh return the same sub, which is not the id of the user.', async () => {
    const config = await pairwise();
    const scope = 'openid profile offline_access';
    const tokens = await request(config, { scope }, as(tenant.users.alice));
    const sub = tokens.claims()?.sub ?? '';
    const { sub: id = '' } = (await request(await application(), {}, as(tenant.users.alice))).claims() ?? {};
    expect(sub).not.toBe(id);
    expect(JSON.stringify(decodeJwt(tokens.access_token))).not.toContain(id);
    // Throws if userinfo returns another sub.
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, sub);
    expect(userinfo.preferred_username).toBe(tenant.users.alice.userName);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(sub);
    expect((await graph(demo, tokens.access_token, meQuery)).status).toBe(401);
  });

  test('Two clients that share no host get two different identifiers of one user.', async () => {
    const [one, other] = await Promise.all([pairwise(), pairwise()]);
    const subOf = async (config: client.Configuration) =>
      (await request(config, {}, as(tenant.users.alice))).claims()?.sub;
    const first = await subOf(one);
    expect(await subOf(one)).toBe(first);
    expect(await subOf(other)).not.toBe(first);
  });
});

describe('openid-client asks for a stronger sign-in', () => {
  const codeOf = (secret: string, at = Date.now()): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

  /** Creates a user with an authenticator app, and a browser with a session from the password alone. */
  async function userWithApp() {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const user = { userName: unique('careful'), password: 'a long enough password' };
    await scim.createUser({ ...user, active: true });
    const person: DemoUser = user;
    const config = await application();
    const browser = await eventually(
      async () => {
        const one = new Browser(demo.origin);
        return request(config, {}, as(person, one)).then(
          () => one,
          () => undefined,
        );
      },
      (signedIn) => signedIn !== undefined,
    );
    const early = new Browser(demo.origin);
    await request(config, {}, as(person, early));
    const offer = await (browser ?? early).open(`${tenant.issuer}/account/totp`);
    const secret = (offer.root.querySelector('code.typed')?.text ?? '').replaceAll(' ', '');
    const before = codeOf(secret);
    const codes = await (browser ?? early).submit(offer, { code: before });
    expect(codes.url.pathname).toBe('/t/demo/account/recovery-codes');
    return { person, config, early, recoveryCode: codes.root.querySelector('.codes code')?.text ?? '' };
  }

  test('With step-up (RFC 9470), the same browser passes the second factor, and the tokens state it.', async () => {
    const { person, config, early, recoveryCode } = await userWithApp();
    const weak = await request(config, {}, as(person, early));
    expect(weak.claims()?.acr).toBe('urn:ostiary:acr:1fa');
    const essential = JSON.stringify({ id_token: { acr: { essential: true, values: [twoFactors] } } });
    const strong = await request(
      config,
      { acr_values: twoFactors, claims: essential },
      async (address) => {
        let page = await early.open(address);
        for (let step = 0; step < 4 && page.url.origin === demo.origin; step += 1) {
          const fields: Record<string, string> = page.root.querySelector('input[type=password]')
            ? { username: person.userName, password: person.password }
            : { code: recoveryCode };
          page = await early.submit(page, fields);
        }
        return page;
      },
      { maxAge: 60 },
    );
    expect(strong.claims()).toMatchObject({ acr: twoFactors, sub: weak.claims()?.sub });
    expect(strong.claims()?.amr).toEqual(expect.arrayContaining(['pwd', 'mfa']));
    expect(decodeJwt(strong.access_token)).toMatchObject({ acr: twoFactors });
    expect(Number(strong.claims()?.auth_time)).toBeGreaterThanOrEqual(Number(weak.claims()?.auth_time));
  });

  test('An essential acr for a user without a second factor returns an error, not a weaker token.', async () => {
    const config = await application();
    const essential = JSON.stringify({ id_token: { acr: { essential: true, values: [twoFactors] } } });
    await expect(request(config, { claims: essential }, as(tenant.users.bob))).rejects.toMatchObject({
      error: 'unmet_authentication_requirements',
    });
  });

  test('The parameters max_age and prompt=login require the password again.', async () => {
    const config = await application();
    const browser = new Browser(demo.origin);
    const first = await request(config, {}, as(tenant.users.alice, browser));
    for (const parameters of [{ max_age: '0' }, { prompt: 'login' }]) {
      let asked = 0;
      const again = await request(
        config,
        parameters,
        async (address) => {
          const page = await browser.open(address);
          if (page.root.querySelector('input[type=password]')) asked += 1;
          return walk(browser, address, tenant.users.alice);
        },
        { maxAge: 30 },
      );
      expect(asked).toBe(1);
      expect(Number(again.claims()?.auth_time)).toBeGreaterThanOrEqual(Number(first.claims()?.auth_time));
    }
  });
});

describe('openid-client signs a user out (RP-Initiated Logout)', () => {
  test('A logout with an ID token as the hint returns to the client with the state and ends the session.', async () => {
    const config = await application();
    const browser = new Browser(demo.origin);
    const tokens = await request(config, { scope: 'openid' }, as(tenant.users.alice, browser));
    const state = client.randomState();
    const address = client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: afterLogout,
      id_token_hint: tokens.id_token ?? '',
      state,
    });
    let page = await browser.open(address);
    if (page.url.origin === demo.origin) page = await browser.submit(page, {}, /sign out/i);
    expect(page.url.href).toBe(`${afterLogout}?state=${state}`);
    await expect(request(config, { prompt: 'none' }, (next) => browser.open(next))).rejects.toMatchObject({
      error: 'login_required',
    });
    await eventually(
      async () =>
        client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck).then(
          () => 'alive',
          () => 'dead',
        ),
      (state) => state === 'dead',
    );
  });
});

test('openid-client rejects a response that another issuer could have sent (RFC 9207).', async () => {
  const config = await application();
  expect(config.serverMetadata().authorization_response_iss_parameter_supported).toBe(true);
  for (const iss of [undefined, demo.tenants.rival.issuer]) {
    await expect(
      request(config, {}, async (address) => {
        const page = await walk(new Browser(demo.origin), address, tenant.users.alice);
        expect(page.url.searchParams.get('iss')).toBe(tenant.issuer);
        if (iss === undefined) page.url.searchParams.delete('iss');
        else page.url.searchParams.set('iss', iss);
        return page;
      }),
    ).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
  }
});
