import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Client } from '../../src/domain/ports.ts';
import type { Answer, Browser } from './browser.ts';
import {
  authorizeUrl,
  callback,
  password,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  startTestService,
  type TestService,
  type TokenAnswer,
  tenant,
  token,
  verifier,
} from './service.ts';

let service: TestService;
let client: Client;
let alice: { id: string; userName: string };
let bob: { id: string; userName: string };

beforeAll(async () => {
  service = await startTestService();
  client = await service.client({
    require_consent: false,
    scope: 'openid profile email groups offline_access',
  });
  alice = await service.person('alice');
  bob = await service.person('bob');
});
afterAll(() => service.stop());

/** A browser in which a person is signed in, as strongly as wanted. */
async function signedIn(o: { acr?: string; of?: string; person?: { id: string } } = {}): Promise<Browser> {
  const browser = service.browser();
  const of = o.of ?? tenant;
  const started = await service.deps.sessions.start(
    of,
    {
      subjectId: (o.person ?? alice).id,
      amr: ['pwd'],
      acr: o.acr ?? 'urn:ostiary:acr:1fa',
      userAgent: undefined,
      ipAddress: undefined,
    },
    undefined,
  );
  browser.cookies.set(`__Host-ostiary-${of}`, started?.cookie ?? '');
  return browser;
}

beforeAll(async () => {
  // Everybody is known here from their first sign-in on.
  for (const name of ['alice', 'bob']) await signIn(service.browser(), client, name);
});

const ask = (browser: Browser, fields: Record<string, string>, of = client): Promise<Answer> =>
  browser.get(authorizeUrl(of, fields));

const outcome = (answer: Answer): URL => {
  expect(answer.location).toMatch(/^https:/);
  return new URL(answer.location ?? '');
};
const errorOf = (answer: Answer): string | null => outcome(answer).searchParams.get('error');

const claimsOf = async (
  answer: URL,
  of = client,
): Promise<Record<string, unknown> & { tokens: TokenAnswer['body'] }> => {
  const { body } = await redeem(service, of, answer);
  return { ...decodeJwt(String(body.id_token)), tokens: body };
};

async function userinfo(accessToken: string, of = tenant): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.origin}/t/${of}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return { status: response.status, ...((await response.json()) as object) };
}

describe('prompt=select_account', () => {
  test('shows the account that is signed in, and goes on with it without a password', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    expect(page.url).toContain('/select-account?i=');
    expect(page.text).toContain('alice');
    const end = await browser.follow(await browser.submit(page, { action: 'continue' }));
    expect((await claimsOf(outcome(end))).sub).toBe(alice.id);
  });

  test('leads to the sign-in page for another account', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    const form = await browser.follow(await browser.submit(page, { action: 'other' }));
    expect(form.url).toContain('/login?i=');
    const end = await browser.submit(form, { username: 'bob', password, action: 'sign-in' });
    expect((await claimsOf(outcome(end))).sub).toBe(bob.id);
  });

  test('asks nobody who is not signed in to choose', async () => {
    const browser = service.browser();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    expect(page.url).toContain('/login?i=');
  });

  test('never goes on with an account that the page did not name', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    const other = await signedIn({ person: bob });
    browser.cookies.set(`__Host-ostiary-${tenant}`, other.cookies.get(`__Host-ostiary-${tenant}`) ?? '');
    const again = await browser.follow(await browser.submit(page, { action: 'continue' }));
    expect(again.url).toContain('/select-account?i=');
    expect(again.text).toContain('bob');
  });

  test('cannot be answered from another browser, or without the form', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    const thief = await signedIn({ person: bob });
    expect((await thief.get(page.url)).status).toBe(403);
    expect((await browser.post(`/t/${tenant}/select-account`, { action: 'continue' })).status).toBe(400);
    const id = page.url.split('i=')[1] ?? '';
    expect((await browser.post(`/t/${tenant}/select-account`, { i: id, action: 'continue' })).status).toBe(
      403,
    );
    expect((await browser.submit(page, { action: 'something' })).status).toBe(400);
    expect((await browser.get(page.url.replace(tenant, rival))).status).toBe(400);
  });
});

describe('max_age and prompt=login', () => {
  test('an old sign-in is asked for again, and auth_time is the new one', async () => {
    const browser = await signedIn();
    await service.deps.database.sql.query(
      `UPDATE auth.sessions SET auth_time = now() - interval '1 hour' WHERE tenant = $1 AND subject_id = $2`,
      [tenant, alice.id],
    );
    expect(errorOf(await ask(browser, { max_age: '60', prompt: 'none' }))).toBe('login_required');
    const fresh = outcome(await ask(browser, { max_age: '7200' }));
    expect(fresh.searchParams.get('code')).not.toBeNull();
    const page = await browser.follow(await ask(browser, { max_age: '60' }));
    const end = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    const { auth_time: authTime } = await claimsOf(outcome(end));
    expect(Number(authTime)).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  test.each(['-1', '1.5', 'x', '9'.repeat(10)])('max_age=%s is invalid_request', async (maxAge) => {
    expect(errorOf(await ask(service.browser(), { max_age: maxAge }))).toBe('invalid_request');
  });
});

describe('acr', () => {
  const twoFactors = 'urn:ostiary:acr:2fa';
  const essential = (...values: string[]): string =>
    JSON.stringify({ id_token: { acr: { essential: true, values } } });

  test('acr_values asks a weaker session for a new sign-in, and takes what it gets', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { acr_values: twoFactors }));
    expect(page.url).toContain('/login?i=');
    const end = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    expect((await claimsOf(outcome(end))).acr).toBe('urn:ostiary:acr:1fa');
  });

  test('acr_values is satisfied by a stronger session', async () => {
    const browser = await signedIn({ acr: 'phr' });
    expect((await claimsOf(outcome(await ask(browser, { acr_values: twoFactors })))).acr).toBe('phr');
  });

  test('unknown acr_values are passed over', async () => {
    const browser = await signedIn();
    expect(errorOf(await ask(browser, { acr_values: 'urn:example:gold' }))).toBeNull();
  });

  test('prompt=none with a wish succeeds, with a demand it does not', async () => {
    const browser = await signedIn();
    expect(errorOf(await ask(browser, { acr_values: twoFactors, prompt: 'none' }))).toBeNull();
    expect(errorOf(await ask(browser, { claims: essential(twoFactors), prompt: 'none' }))).toBe(
      'login_required',
    );
  });

  test('an essential acr that the sign-in does not reach is refused', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { claims: essential(twoFactors) }));
    expect(page.url).toContain('/login?i=');
    const end = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    expect(errorOf(end)).toBe('unmet_authentication_requirements');
  });

  test('an essential acr that nobody can reach is refused at once', async () => {
    expect(errorOf(await ask(service.browser(), { claims: essential('urn:example:gold') }))).toBe(
      'unmet_authentication_requirements',
    );
  });

  test('an essential acr is answered by one of the values asked for', async () => {
    const browser = await signedIn({ acr: 'phr' });
    const { acr, tokens } = await claimsOf(outcome(await ask(browser, { claims: essential(twoFactors) })));
    expect(acr).toBe(twoFactors);
    expect(decodeJwt(String(tokens.access_token)).acr).toBe(twoFactors);
  });
});

describe('the claims parameter', () => {
  const wanted = (claims: object): string => JSON.stringify(claims);

  test('puts claims into the ID token, at refresh too', async () => {
    const browser = await signedIn();
    const claims = wanted({ id_token: { preferred_username: { essential: true }, nobody: null } });
    const answer = outcome(await ask(browser, { claims, scope: 'openid offline_access' }));
    const first = await claimsOf(answer);
    expect(first).toMatchObject({ preferred_username: 'alice' });
    expect(first).not.toHaveProperty('updated_at');
    expect(first).not.toHaveProperty('nobody');
    const again = await token(service, client, {
      grant_type: 'refresh_token',
      refresh_token: String(first.tokens.refresh_token),
    });
    expect(decodeJwt(String(again.body.id_token))).toMatchObject({ preferred_username: 'alice' });
  });

  test('gives a claim at userinfo without its scope, and no other claim of that scope', async () => {
    const browser = await signedIn();
    const claims = wanted({ userinfo: { preferred_username: null } });
    const { tokens } = await claimsOf(outcome(await ask(browser, { claims, scope: 'openid' })));
    expect(tokens.scope).toBe('openid');
    const told = await userinfo(String(tokens.access_token));
    expect(told).toMatchObject({ status: 200, sub: alice.id, preferred_username: 'alice' });
    expect(told).not.toHaveProperty('email');
    expect(told).not.toHaveProperty('updated_at');
  });

  test('the person is asked for it like for the scope', async () => {
    const asking = await service.client({ scope: 'openid profile' });
    const claims = wanted({ userinfo: { preferred_username: null } });
    const page = await signIn(service.browser(), asking, 'bob', { fields: { claims, scope: 'openid' } });
    expect(page.text).toContain('See your name');
    const answer = await signInAndAllow(service.browser(), asking, 'alice', { claims, scope: 'openid' });
    const { tokens } = await claimsOf(answer, asking);
    expect(await userinfo(String(tokens.access_token))).toHaveProperty('preferred_username');
  });

  test('a client gets no claim of a scope that it is not registered for', async () => {
    const narrow = await service.client({ scope: 'openid', require_consent: false });
    const browser = await signedIn();
    const claims = wanted({
      id_token: { preferred_username: null },
      userinfo: { preferred_username: null, updated_at: null, groups: null },
    });
    const { tokens, preferred_username: name } = await claimsOf(
      outcome(await ask(browser, { claims, scope: 'openid' }, narrow)),
      narrow,
    );
    expect(name).toBeUndefined();
    expect(Object.keys(await userinfo(String(tokens.access_token))).sort()).toEqual(['status', 'sub']);
  });

  test('sub with a value names the only person who will do', async () => {
    const claims = wanted({ id_token: { sub: { value: bob.id } } });
    const browser = await signedIn();
    expect(errorOf(await ask(browser, { claims, prompt: 'none' }))).toBe('login_required');
    const page = await browser.follow(await ask(browser, { claims }));
    const end = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    expect(errorOf(end)).toBe('login_required');
    expect(errorOf(await ask(await signedIn({ person: bob }), { claims, prompt: 'none' }))).toBeNull();
  });

  test.each([
    'x',
    '[]',
    'null',
    '"a"',
    '{"id_token":[]}',
    '{"userinfo":{"email":5}}',
    '{"userinfo":{"email":{"essential":"yes"}}}',
    '{"userinfo":{"email":{"values":"one"}}}',
    '{"id_token":{"sub":{"value":{}}}}',
    `{"id_token":{"acr":{"values":${JSON.stringify(Array(50).fill('a'))}}}}`,
  ])('%s is invalid_request', async (claims) => {
    expect(errorOf(await ask(service.browser(), { claims }))).toBe('invalid_request');
  });

  test.each(['{"id_token":{"__proto__":{"essential":true},"constructor":null}}', '{"__proto__":{"a":1}}'])(
    '%s asks for nothing and spoils nothing',
    async (claims) => {
      expect(errorOf(await ask(await signedIn(), { claims }))).toBeNull();
      expect(({} as Record<string, unknown>).essential).toBeUndefined();
    },
  );

  test('without openid it means nothing', async () => {
    const answer = outcome(await ask(await signedIn(), { claims: 'x', scope: 'profile' }));
    expect(answer.searchParams.get('code')).not.toBeNull();
  });
});

describe('pairwise subjects', () => {
  const scope = 'openid profile email offline_access';
  const pairwise = (metadata: object = {}, of = tenant) =>
    service.client({ subject_type: 'pairwise', require_consent: false, scope, ...metadata }, of);

  test('a client knows a person by the same identifier in every token, and nobody by their id', async () => {
    const own = await pairwise();
    const { sub, tokens } = await claimsOf(outcome(await ask(await signedIn(), { scope }, own)), own);
    expect(sub).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const accessToken = decodeJwt(String(tokens.access_token));
    expect(accessToken.sub).toBe(sub);
    expect(JSON.stringify(accessToken)).not.toContain(alice.id);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({
      status: 200,
      sub,
      preferred_username: 'alice',
    });
    const refreshed = await token(service, own, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.refresh_token),
    });
    expect(decodeJwt(String(refreshed.body.id_token)).sub).toBe(sub);
  });

  test('clients of one host share identifiers, others of the tenant or of another do not', async () => {
    await service.person('alice', { tenant: rival });
    const subOf = async (of: Client, fields: Record<string, string> = {}): Promise<unknown> =>
      (await claimsOf(outcome(await ask(await signedIn(), fields, of)), of)).sub;
    const one = await subOf(await pairwise());
    const elsewhere = 'https://elsewhere.example/callback';
    const foreign = await pairwise({ redirect_uris: [elsewhere] });
    expect(await subOf(await pairwise())).toBe(one);
    const answer = outcome(await ask(await signedIn(), { redirect_uri: elsewhere }, foreign));
    const { body } = await token(service, foreign, {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: elsewhere,
      code_verifier: verifier,
    });
    expect(decodeJwt(String(body.id_token)).sub).not.toBe(one);
  });

  test('its tokens open nothing of ours but userinfo', async () => {
    const own = await pairwise();
    const { tokens } = await claimsOf(outcome(await ask(await signedIn(), {}, own)), own);
    expect(decodeJwt(String(tokens.access_token)).aud).toBe(`http://localhost:4000/t/${tenant}/userinfo`);
    const graph = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.access_token}` },
      body: JSON.stringify({ query: 'mutation { revokeAllSessions { user { id } } }' }),
    });
    expect(JSON.stringify(await graph.json())).toMatch(/UNAUTHENTICATED|invalid_token/);
  });

  test('introspection tells it no user name either, of an access token or of a refresh token', async () => {
    const server = { token_endpoint_auth_method: 'client_secret_post' };
    const names = async (of: Awaited<ReturnType<typeof pairwise>>): Promise<unknown[]> => {
      const credentials = { client_id: of.clientId, client_secret: of.secret ?? '' };
      const { body } = await token(service, of, {
        ...credentials,
        grant_type: 'authorization_code',
        code: outcome(await ask(await signedIn(), { scope }, of)).searchParams.get('code') ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
      });
      return Promise.all(
        [body.access_token, body.refresh_token].map(async (one) => {
          const response = await fetch(`${service.origin}/t/${tenant}/introspect`, {
            method: 'POST',
            body: new URLSearchParams({ ...credentials, token: String(one) }),
          });
          const { active, username } = (await response.json()) as { active: boolean; username?: string };
          return active && (username ?? 'nobody');
        }),
      );
    };
    expect(await names(await pairwise(server))).toEqual(['nobody', 'nobody']);
    const open = await service.client({ ...server, require_consent: false, scope });
    expect(await names(open)).toEqual(['alice', 'alice']);
  });

  test('its tokens die with the session and the person', async () => {
    const own = await pairwise();
    const eve = await service.person('eve');
    await signIn(service.browser(), client, 'eve');
    const browser = await signedIn({ person: eve });
    const { tokens } = await claimsOf(outcome(await ask(browser, {}, own)), own);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({ status: 200 });
    await service.deps.subjects.signOutEverywhere(tenant, eve.id);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({ status: 401 });
  });

  test('an ID token of its own is a hint of who is meant, another person is not', async () => {
    const own = await pairwise();
    const { tokens } = await claimsOf(outcome(await ask(await signedIn(), {}, own)), own);
    const hint = { id_token_hint: String(tokens.id_token), prompt: 'none' };
    expect(errorOf(await ask(await signedIn(), hint, own))).toBeNull();
    expect(errorOf(await ask(await signedIn({ person: bob }), hint, own))).toBe('login_required');
  });

  test.each([
    ['two hosts', { redirect_uris: [callback, 'https://other.example/callback'] }],
    ['scopes of the API', { scope: 'openid users:read' }],
    ['another subject type', { subject_type: 'anonymous' }],
  ])('a registration with %s is refused', async (_what, metadata) => {
    await expect(pairwise(metadata)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

describe('login_hint and ui_locales', () => {
  test('the hint stands in the form', async () => {
    const browser = service.browser();
    const page = await browser.follow(await ask(browser, { login_hint: 'alice@example.org' }));
    expect(page.text).toContain('value="alice@example.org"');
  });

  test('pages are in the language the application names, before that of the browser', async () => {
    const browser = service.browser();
    const begun = await browser.get(authorizeUrl(client, { ui_locales: 'xx fr-CA de' }), {
      'accept-language': 'es',
    });
    const page = await browser.get(begun.location ?? '', { 'accept-language': 'es' });
    expect(page.text).toContain('<html lang="fr">');
    expect(page.text).toContain('Mot de passe');
    expect(page.headers.get('content-language')).toBe('fr');
    const again = await browser.submit(page, { username: 'alice', password: 'wrong', action: 'sign-in' });
    expect(again.text).toContain('Cela n’a pas fonctionné');
  });

  test.each([
    ['de-AT, en;q=0.5', 'de'],
    ['en;q=0.3, es;q=0.9', 'es'],
    ['fr;q=0, *', 'en'],
    ['zh-Hans', 'en'],
    [',;q=,==;;', 'en'],
    ['de;q=7, es', 'es'],
  ])('Accept-Language %s gives %s', async (header, language) => {
    const page = await service.browser().get(`/t/${tenant}/signed-out`, { 'accept-language': header });
    expect(page.text).toContain(`<html lang="${language}">`);
  });

  test('one reader’s language is not another’s, at the same time', async () => {
    const pages = await Promise.all(
      ['de', 'es', 'fr', 'en', 'de', 'es'].map((language) =>
        service.browser().get(`/t/${tenant}/signed-out`, { 'accept-language': language }),
      ),
    );
    expect(pages.map((page) => /<html lang="(..)">/.exec(page.text)?.[1])).toEqual([
      'de',
      'es',
      'fr',
      'en',
      'de',
      'es',
    ]);
  });
});

test('discovery announces what the tests here use, and nothing more', async () => {
  const response = await fetch(`${service.origin}/t/${tenant}/.well-known/openid-configuration`);
  expect(await response.json()).toMatchObject({
    subject_types_supported: ['public', 'pairwise'],
    acr_values_supported: ['urn:ostiary:acr:1fa', 'urn:ostiary:acr:2fa', 'phr'],
    claims_parameter_supported: true,
    claim_types_supported: ['normal'],
    ui_locales_supported: ['en', 'de', 'es', 'fr'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  });
});
