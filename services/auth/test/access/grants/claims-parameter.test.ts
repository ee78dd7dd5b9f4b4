import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  alice,
  ask,
  bob,
  claimsOf,
  client,
  errorOf,
  outcome,
  service,
  setUpRelyingParty,
  signedIn,
  userinfo,
} from '../../support/sign-in/relying-party.ts';
import { password, signIn, signInAndAllow, token } from '../../support/sign-in/service.ts';

setUpRelyingParty();

describe('claims parameter', () => {
  const wanted = (claims: object): string => JSON.stringify(claims);

  test('The claims parameter adds claims to the ID token, at refresh too.', async () => {
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

  test('The claims parameter is not needed when the client is registered for profile claims in the ID token.', async () => {
    const registered = {
      scope: 'openid profile email',
      id_token_profile_claims: true,
      require_consent: false,
    };
    const lazy = await service.client(registered);
    const answer = await signInAndAllow(service.browser(), lazy, 'alice', { scope: 'openid profile' });
    const claims = await claimsOf(answer, lazy);
    expect(claims).toMatchObject({ preferred_username: 'alice' });
    // Only of the granted scopes, not of all permitted ones.
    expect(claims).not.toHaveProperty('email');
  });

  test('The claims parameter adds a claim at userinfo without its scope, and no other claim of that scope.', async () => {
    const browser = await signedIn();
    const claims = wanted({ userinfo: { preferred_username: null } });
    const { tokens } = await claimsOf(outcome(await ask(browser, { claims, scope: 'openid' })));
    expect(tokens.scope).toBe('openid');
    const userInfo = await userinfo(String(tokens.access_token));
    expect(userInfo).toMatchObject({ status: 200, sub: alice.id, preferred_username: 'alice' });
    expect(userInfo).not.toHaveProperty('email');
    expect(userInfo).not.toHaveProperty('updated_at');
  });

  test('The user is asked for consent to a requested claim as to its scope.', async () => {
    const asking = await service.client({ scope: 'openid profile' });
    const claims = wanted({ userinfo: { preferred_username: null } });
    const page = await signIn(service.browser(), asking, 'bob', { fields: { claims, scope: 'openid' } });
    expect(page.text).toContain('See your name');
    const answer = await signInAndAllow(service.browser(), asking, 'alice', { claims, scope: 'openid' });
    const { tokens } = await claimsOf(answer, asking);
    expect(await userinfo(String(tokens.access_token))).toHaveProperty('preferred_username');
  });

  test('A client receives no claim of a scope that it is not registered for.', async () => {
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

  test('A claims parameter with a value for sub accepts only that user.', async () => {
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
  ])('The claims parameter %s is rejected with invalid_request.', async (claims) => {
    expect(errorOf(await ask(service.browser(), { claims }))).toBe('invalid_request');
  });

  test.each(['{"id_token":{"__proto__":{"essential":true},"constructor":null}}', '{"__proto__":{"a":1}}'])(
    'The claims parameter %s requests nothing and changes no prototype.',
    async (claims) => {
      expect(errorOf(await ask(await signedIn(), { claims }))).toBeNull();
      expect(({} as Record<string, unknown>).essential).toBeUndefined();
    },
  );

  test('The claims parameter has no effect without openid.', async () => {
    const answer = outcome(await ask(await signedIn(), { claims: 'x', scope: 'profile' }));
    expect(answer.searchParams.get('code')).not.toBeNull();
  });
});
