import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  challenge,
  type Fields,
  publicClient,
  register,
  signedIn,
  verifier,
} from '../../support/running-auth.ts';
import { type Answer, Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import { auth, setUpTwoProcesses } from '../../support/two-processes.ts';

setUpTwoProcesses();

const callback = 'https://app.example/callback';
const codeVerifier = verifier();

let web: string;
let asking: string;

beforeAll(async () => {
  web = (await register(auth, { ...publicClient, redirect_uris: [callback], require_consent: false })).client
    .clientId;
  asking = (await register(auth, { ...publicClient, redirect_uris: [callback] })).client.clientId;
});

const request = (fields: Record<string, string> = {}): Record<string, string> => ({
  client_id: web,
  response_type: 'code',
  response_mode: 'form_post',
  redirect_uri: callback,
  scope: 'openid profile',
  state: '"><script>alert(1)</script>&',
  code_challenge: challenge(codeVerifier),
  code_challenge_method: 'S256',
  ...fields,
});

const authorize = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.get(`/t/demo/authorize?${new URLSearchParams(request(fields))}`);

async function person(): Promise<Browser> {
  const { subjectId } = await signedIn(auth);
  const session = await auth.deps.sessions.start(
    'demo',
    { subjectId, amr: ['pwd'], carriedRoles: null, userAgent: undefined, ipAddress: undefined },
    undefined,
  );
  const browser = new Browser(auth.origin);
  browser.cookies.set('__Host-ostiary-demo', session?.cookie ?? '');
  return browser;
}

const actionOf = (page: Answer): string | undefined =>
  /<form method="post" action="([^"]+)"/.exec(page.text)?.[1];

/** Expects a page that posts the response to the client, is not cached and permits no other script or target. */
function expectAnswerPage(page: Answer): Record<string, string> {
  expect([page.status, page.location, actionOf(page)]).toEqual([200, undefined, callback]);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  const policy = page.headers.get('content-security-policy') ?? '';
  const scripts = [...page.text.matchAll(/<script>(.*?)<\/script>/g)].map((match) => match[1] ?? '');
  expect(scripts).toEqual(['document.forms[0].submit()']);
  const hash = createHash('sha256')
    .update(scripts[0] ?? '')
    .digest('base64');
  expect(policy).toContain(`script-src 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https:;");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.text).toContain('<button type="submit">');
  return hiddenFields(page);
}

const redeem = (code: string | undefined, clientId = web) =>
  auth.post('/t/demo/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: code ?? '',
    redirect_uri: callback,
    code_verifier: codeVerifier,
  } satisfies Fields);

describe('response_mode=form_post (OAuth 2.0 Form Post Response Mode)', () => {
  test('The code is in a form and in no address, and the values sent by the client are escaped.', async () => {
    const page = await authorize(await person());
    const fields = expectAnswerPage(page);
    expect(Object.keys(fields).toSorted()).toEqual(['code', 'iss', 'state']);
    expect(fields.iss).toBe(auth.issuer('demo'));
    expect(page.text).not.toContain('<script>alert');
    expect((await redeem(fields.code)).status).toBe(200);
  });

  test('An error is returned in a form, too, when the request has response_mode=form_post.', async () => {
    const silent = expectAnswerPage(await authorize(new Browser(auth.origin), { prompt: 'none' }));
    expect(silent).toMatchObject({ error: 'login_required', iss: auth.issuer('demo') });
    const scope = expectAnswerPage(await authorize(await person(), { scope: 'openid nonsense' }));
    expect(scope.error).toBe('invalid_scope');
  });

  test('A pushed request is answered in a form, and parameters added by the browser are ignored.', async () => {
    const pushed = await auth.post('/t/demo/par', request());
    const query = new URLSearchParams({
      client_id: web,
      request_uri: String(pushed.body.request_uri),
      response_mode: 'query',
    });
    const page = await (await person()).get(`/t/demo/authorize?${query}`);
    expect(expectAnswerPage(page).code).toBeTruthy();
  });

  test('A consent is answered in a form, and a second click returns the same code.', async () => {
    const browser = await person();
    const { location } = await authorize(browser, { client_id: asking });
    const consent = await browser.get(location ?? '');
    const answer = await browser.submit(consent, { action: 'allow' });
    const { code } = expectAnswerPage(answer);
    expect(expectAnswerPage(await browser.submit(consent, { action: 'allow' })).code).toBe(code);
    expect((await redeem(code, asking)).status).toBe(200);
  });

  test('A denied consent is answered in a form, too.', async () => {
    const browser = await person();
    const { location } = await authorize(browser, { client_id: asking, prompt: 'consent' });
    const answer = await browser.submit(await browser.get(location ?? ''), { action: 'deny' });
    expect(expectAnswerPage(answer).error).toBe('access_denied');
  });

  test('A request with an invalid redirect URI is rejected, and no form is posted.', async () => {
    const page = await authorize(await person(), { redirect_uri: 'https://evil.example/' });
    expect([page.status, actionOf(page)]).toEqual([400, undefined]);
  });
});

test('The mode response_mode=query is supported, and fragment is rejected in the query.', async () => {
  const browser = await person();
  expect((await authorize(browser, { response_mode: 'query' })).location).toContain('?code=');
  const fragment = new URL((await authorize(browser, { response_mode: 'fragment' })).location ?? '');
  expect(fragment.searchParams.get('error')).toBe('invalid_request');
});
