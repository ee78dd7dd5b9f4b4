import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { Browser } from '../../support/sign-in/browser.ts';
import {
  authorizeUrl,
  redeem,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

const goodbye = 'https://app.example/goodbye';
const inError = 'The request from the app is invalid';
let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = await service.client({ post_logout_redirect_uris: [goodbye] });
  await service.person('alice');
  await service.person('bob');
});
afterAll(() => service.stop());

async function signedIn(userName = 'alice', scope = 'openid profile') {
  const browser = service.browser();
  const { body } = await redeem(service, client, await signInAndAllow(browser, client, userName, { scope }));
  return { browser, tokens: body };
}

const logout = (browser: Browser, fields: Record<string, string>, of = tenant) =>
  browser.get(`/t/${of}/logout?${new URLSearchParams(fields)}`);

async function isSignedIn(browser: Browser): Promise<boolean> {
  const { location } = await browser.get(authorizeUrl(client, { prompt: 'none', scope: 'openid' }));
  return new URL(location ?? '').searchParams.has('code');
}

describe('with an ID token of the user', () => {
  test('A sign-out ends the session and its tokens, and returns to the registered address with state.', async () => {
    const { browser, tokens } = await signedIn();
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);
    const answer = await logout(browser, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: goodbye,
      state: 'bye & thanks',
    });
    expect(answer.location).toBe(`${goodbye}?state=bye+%26+thanks`);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
  });

  test('A grant for offline access survives the sign-out.', async () => {
    const { browser, tokens } = await signedIn('alice', 'openid offline_access');
    await logout(browser, { id_token_hint: tokens.id_token ?? '' });
    const refreshed = await token(service, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    expect(refreshed.status).toBe(200);
    expect(await userinfoStatus(service, refreshed.body.access_token ?? '')).toBe(200);
  });

  test.each([
    ['another host', 'https://evil.example/goodbye'],
    ['a longer path', `${goodbye}/x`],
    ['other case', 'https://APP.example/goodbye'],
    ['a script', 'javascript:alert(1)'],
  ])('An unregistered post_logout_redirect_uri is ignored: %s.', async (_name, uri) => {
    const { browser, tokens } = await signedIn();
    const answer = await logout(browser, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: uri,
    });
    expect(answer.location).toBe(`/t/${tenant}/signed-out?invalid=1`);
    const page = await browser.follow(answer);
    expect(page.text).toContain('You are signed out');
    expect(page.text).toContain(inError);
  });

  test('An ID token that is broken or of another user or tenant does not sign the user out.', async () => {
    const { tokens: theirs } = await signedIn('bob');
    const { browser, tokens } = await signedIn('alice');
    const broken = `${tokens.id_token?.slice(0, -6)}AAAAAA`;
    for (const hint of [theirs.id_token ?? '', broken, 'nonsense']) {
      const answer = await logout(browser, { id_token_hint: hint });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('Sign out?');
      // Another user's ID token is valid, so the app's request is not reported as an error.
      expect(answer.text.includes(inError)).toBe(hint !== theirs.id_token);
    }
    expect(await isSignedIn(browser)).toBe(true);
    await logout(browser, { id_token_hint: tokens.id_token ?? '' }, rival);
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('without an ID token', () => {
  test('Without an ID token, the user is asked and may stay signed in.', async () => {
    const { browser } = await signedIn();
    const page = await logout(browser, {});
    const stayed = await browser.follow(await browser.submit(page, { action: 'stay' }));
    expect(stayed.text).toContain('You are still signed in');
    expect(await isSignedIn(browser)).toBe(true);
    const left = await browser.follow(await browser.submit(page, { action: 'sign-out' }));
    expect(left.text).toContain('You are signed out');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('A client_id is sufficient to return to the app after confirmation.', async () => {
    const { browser } = await signedIn();
    const page = await logout(browser, {
      client_id: client.clientId,
      post_logout_redirect_uri: goodbye,
      state: 's',
    });
    expect((await browser.submit(page, { action: 'sign-out' })).location).toBe(`${goodbye}?state=s`);
  });

  test.each([
    ['an address without the app it is of', () => ({ post_logout_redirect_uri: goodbye })],
    [
      'an address that isn’t registered',
      () => ({ client_id: client.clientId, post_logout_redirect_uri: `${goodbye}?more=1` }),
    ],
  ])('A request with %s is reported as an error and not redirected.', async (_what, fields) => {
    const { browser } = await signedIn();
    const page = await logout(browser, fields());
    expect(page.text).toContain(inError);
    const left = await browser.follow(await browser.submit(page, { action: 'sign-out' }));
    expect(left.text).toContain('You are signed out');
  });

  test('A valid request is not reported as an error.', async () => {
    const { browser } = await signedIn();
    for (const fields of [
      {},
      { state: 's' },
      { client_id: client.clientId, post_logout_redirect_uri: goodbye },
    ] as Record<string, string>[]) {
      expect((await logout(browser, fields)).text).not.toContain(inError);
    }
  });

  test('A posted form that is too long for a query is rejected.', async () => {
    const { browser } = await signedIn();
    for (const fields of [
      { state: 'x'.repeat(20_000) },
      { id_token_hint: 'x'.repeat(8_000), state: '\u{1f600}'.repeat(1_000) },
    ]) {
      const posted = await browser.post(`/t/${tenant}/logout`, fields, { 'sec-fetch-site': 'cross-site' });
      expect([posted.status, posted.location]).toEqual([400, undefined]);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('A form posted by the app is redirected to a GET.', async () => {
    const { browser, tokens } = await signedIn();
    const posted = await browser.post(
      `/t/${tenant}/logout`,
      { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: goodbye },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(posted.status).toBe(303);
    expect((await browser.follow(posted)).location).toBe(goodbye);
    await eventually(async () => !(await isSignedIn(browser)));
  });
});
