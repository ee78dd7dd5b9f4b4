import { describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { Browser } from '../support/browser.ts';
import { type DemoTenant, type DemoUser, runningDemo } from '../support/demo.ts';
import { discover } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;

/** User of the console. openid-client does the same as its script in a browser. */
class Administrator {
  readonly config: client.Configuration;
  readonly browser: Browser;
  readonly DPoP: client.DPoPHandle;
  readonly graphUrl: URL;
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

  private constructor(o: Pick<Administrator, 'config' | 'browser' | 'DPoP' | 'graphUrl' | 'tokens'>) {
    this.config = o.config;
    this.browser = o.browser;
    this.DPoP = o.DPoP;
    this.graphUrl = o.graphUrl;
    this.tokens = o.tokens;
  }

  static async signIn(at: DemoTenant, user: DemoUser, resource = demo.graphql): Promise<Administrator> {
    const config = await discover(at, 'console');
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const [pkceCodeVerifier, expectedState, expectedNonce] = [
      client.randomPKCECodeVerifier(),
      client.randomState(),
      client.randomNonce(),
    ];
    const scopes = config.serverMetadata().scopes_supported ?? [];
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: `${demo.console}/callback`,
      scope: scopes.filter((scope) => !notItsOwn.includes(scope)).join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      resource,
    });
    const browser = new Browser(demo.origin);
    const { userName: username, password } = user;
    // The redirect follows the sign-in directly, without a consent page.
    const { url } = await browser.submit(await browser.open(address), { username, password });
    expect(`${url.origin}${url.pathname}`).toBe(`${demo.console}/callback`);
    const tokens = await client.authorizationCodeGrant(
      config,
      url,
      { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
      undefined,
      { DPoP },
    );
    return new Administrator({ config, browser, DPoP, graphUrl: new URL(resource), tokens });
  }

  async ask(query: string, at = this.graphUrl): Promise<{ status: number; body: GraphBody }> {
    const headers = new Headers({ 'content-type': 'application/json' });
    const response = await client.fetchProtectedResource(
      this.config,
      this.tokens.access_token,
      at,
      'POST',
      JSON.stringify({ query }),
      headers,
      { DPoP: this.DPoP },
    );
    return { status: response.status, body: (await response.json()) as GraphBody };
  }

  async refresh(): Promise<void> {
    const { DPoP } = this;
    this.tokens = await client.refreshTokenGrant(this.config, this.tokens.refresh_token ?? '', undefined, {
      DPoP,
    });
  }
}

interface GraphBody {
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  data?: any;
  errors?: { extensions: { code: string } }[];
}

/** Scopes that are open to any app and that the console does not need. */
const notItsOwn = ['address', 'phone', 'groups', 'offline_access'];
const users = '{ users(first: 50) { edges { node { userName sessions { id } } } } }';

describe('the console client', () => {
  test('An administrator signs in without a consent page, and asks the graph with a bound token that refreshes.', async () => {
    const admin = await Administrator.signIn(tenant, tenant.users.admin);
    expect(admin.tokens.token_type).toBe('dpop');
    const listed = await admin.ask(users);
    expect(listed.body.errors).toBeUndefined();
    expect(
      listed.body.data.users.edges.map(({ node }: { node: { userName: string } }) => node.userName),
    ).toEqual(expect.arrayContaining([tenant.users.alice.userName, tenant.users.bob.userName]));
    await admin.refresh();
    expect((await admin.ask(users)).body.errors).toBeUndefined();
    await admin.refresh();
    expect((await admin.ask('{ me { userName } }')).body.data.me.userName).toBe(tenant.users.admin.userName);
  });

  test('A user without a role reaches their own account with it, and no other account.', async () => {
    const alice = await Administrator.signIn(tenant, tenant.users.alice);
    expect((await alice.ask('{ me { userName } }')).body.data.me.userName).toBe(tenant.users.alice.userName);
    for (const query of [
      users,
      '{ clients(first: 1) { totalCount } }',
      '{ auditLog(first: 1) { totalCount } }',
    ]) {
      const { body } = await alice.ask(query);
      expect(body.errors?.map(({ extensions }) => extensions.code)).toContain('FORBIDDEN');
    }
  });

  test('After a sign-out, the tokens of the console are invalid.', async () => {
    const admin = await Administrator.signIn(tenant, tenant.users.admin);
    const end = client.buildEndSessionUrl(admin.config, {
      id_token_hint: admin.tokens.id_token ?? '',
      post_logout_redirect_uri: `${demo.console}/`,
    });
    const left = await admin.browser.open(end);
    expect(left.url.href).toBe(`${demo.console}/`);
    await expect(admin.refresh()).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(admin.ask(users)).rejects.toMatchObject({ status: 401 });
  });

  test('An administrator of another tenant reaches only users of that tenant with it.', async () => {
    const foreign = await Administrator.signIn(rival, rival.users.admin);
    const { body } = await foreign.ask(users);
    expect(body.errors).toBeUndefined();
    const mine = await Administrator.signIn(tenant, tenant.users.admin);
    const { body: there } = await mine.ask('{ users(first: 50) { edges { node { id } } } }');
    const [{ node }] = there.data.users.edges;
    expect((await foreign.ask(`{ user(id: "${node.id}") { userName } }`)).body.data.user).toBeNull();
    await expect(foreign.ask(users, new URL(`${tenant.issuer}/graphql`))).rejects.toMatchObject({
      status: 401,
    });
  });
});
