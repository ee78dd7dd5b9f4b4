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
} from '../../support/sign-in/relying-party.ts';
import { authorizeUrl, password, rival, tenant } from '../../support/sign-in/service.ts';

setUpRelyingParty();

describe('prompt=select_account', () => {
  test('The account selection page shows the signed-in account and continues with it without a password.', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    expect(page.url).toContain('/select-account?i=');
    expect(page.text).toContain('alice');
    const end = await browser.follow(await browser.submit(page, { action: 'continue' }));
    expect((await claimsOf(outcome(end))).sub).toBe(alice.id);
  });

  test('The account selection page leads to the sign-in page when the user chooses another account.', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    const form = await browser.follow(await browser.submit(page, { action: 'other' }));
    expect(form.url).toContain('/login?i=');
    const end = await browser.submit(form, { username: 'bob', password, action: 'sign-in' });
    expect((await claimsOf(outcome(end))).sub).toBe(bob.id);
  });

  test('A user who is not signed in is not asked to choose an account.', async () => {
    const browser = service.browser();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    expect(page.url).toContain('/login?i=');
  });

  test('An authorization request never continues with an account that the selection page did not name.', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { prompt: 'select_account' }));
    const other = await signedIn({ person: bob });
    browser.cookies.set(`__Host-ostiary-${tenant}`, other.cookies.get(`__Host-ostiary-${tenant}`) ?? '');
    const again = await browser.follow(await browser.submit(page, { action: 'continue' }));
    expect(again.url).toContain('/select-account?i=');
    expect(again.text).toContain('bob');
  });

  test('The account selection page cannot be answered from another browser or without the form.', async () => {
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
  test('An old sign-in is requested again, and auth_time is that of the new sign-in.', async () => {
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

  test.each(['-1', '1.5', 'x', '9'.repeat(10)])(
    'A request with max_age=%s is rejected with invalid_request.',
    async (maxAge) => {
      expect(errorOf(await ask(service.browser(), { max_age: maxAge }))).toBe('invalid_request');
    },
  );
});

describe('acr', () => {
  const twoFactors = 'urn:ostiary:acr:2fa';
  const essential = (...values: string[]): string =>
    JSON.stringify({ id_token: { acr: { essential: true, values } } });

  test('A request with acr_values makes a weaker session sign in again and accepts the acr reached.', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { acr_values: twoFactors }));
    expect(page.url).toContain('/login?i=');
    const end = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    expect((await claimsOf(outcome(end))).acr).toBe('urn:ostiary:acr:1fa');
  });

  test('A request with acr_values is satisfied by a stronger session.', async () => {
    const browser = await signedIn({ acr: 'phr' });
    expect((await claimsOf(outcome(await ask(browser, { acr_values: twoFactors })))).acr).toBe('phr');
  });

  test('A request with unknown acr_values succeeds, and they are ignored.', async () => {
    const browser = await signedIn();
    expect(errorOf(await ask(browser, { acr_values: 'urn:example:gold' }))).toBeNull();
  });

  test('A request with prompt=none succeeds with a voluntary acr and is rejected with an essential acr.', async () => {
    const browser = await signedIn();
    expect(errorOf(await ask(browser, { acr_values: twoFactors, prompt: 'none' }))).toBeNull();
    expect(errorOf(await ask(browser, { claims: essential(twoFactors), prompt: 'none' }))).toBe(
      'login_required',
    );
  });

  test('An essential acr that the sign-in does not reach is rejected.', async () => {
    const browser = await signedIn();
    const page = await browser.follow(await ask(browser, { claims: essential(twoFactors) }));
    expect(page.url).toContain('/login?i=');
    const end = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    expect(errorOf(end)).toBe('unmet_authentication_requirements');
  });

  test('An essential acr that no sign-in can reach is rejected immediately.', async () => {
    expect(errorOf(await ask(service.browser(), { claims: essential('urn:example:gold') }))).toBe(
      'unmet_authentication_requirements',
    );
  });

  test('An essential acr is answered with one of the requested values.', async () => {
    const browser = await signedIn({ acr: 'phr' });
    const { acr, tokens } = await claimsOf(outcome(await ask(browser, { claims: essential(twoFactors) })));
    expect(acr).toBe(twoFactors);
    expect(decodeJwt(String(tokens.access_token)).acr).toBe(twoFactors);
  });
});

describe('login_hint and ui_locales', () => {
  test('The login_hint is prefilled in the sign-in form.', async () => {
    const browser = service.browser();
    const page = await browser.follow(await ask(browser, { login_hint: 'alice@example.org' }));
    expect(page.text).toContain('value="alice@example.org"');
  });

  test('The pages use the language of the ui_locales in preference to that of the browser.', async () => {
    const browser = service.browser();
    const begun = await browser.get(authorizeUrl(client, { ui_locales: 'xx fr-CA de' }), {
      'accept-language': 'es',
    });
    const page = await browser.get(begun.location ?? '', { 'accept-language': 'es' });
    expect(page.text).toContain('<html lang="fr">');
    expect(page.text).toContain('Mot de passe');
    expect(page.headers.get('content-language')).toBe('fr');
    const again = await browser.submit(page, { username: 'alice', password: 'wrong', action: 'sign-in' });
    expect(again.text).toContain('Le nom d’utilisateur ou le mot de passe est incorrect.');
  });

  test.each([
    ['de-AT, en;q=0.5', 'de'],
    ['en;q=0.3, es;q=0.9', 'es'],
    ['fr;q=0, *', 'en'],
    ['zh-Hans', 'en'],
    [',;q=,==;;', 'en'],
    ['de;q=7, es', 'es'],
  ])('The header Accept-Language %s results in the language %s.', async (header, language) => {
    const page = await service.browser().get(`/t/${tenant}/signed-out`, { 'accept-language': header });
    expect(page.text).toContain(`<html lang="${language}">`);
  });

  test('Parallel requests with different languages each receive their own language.', async () => {
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

test('Discovery announces the values that these tests use and no others.', async () => {
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
