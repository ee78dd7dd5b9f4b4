import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from '../../support/sign-in/browser.ts';
import { accountPath, appCode, openAccount, setUpApp } from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  rival,
  selfService,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

let service: TestService;
let app: Awaited<ReturnType<TestService['client']>>;

beforeAll(async () => {
  service = await startTestService();
  app = await service.client({
    require_consent: false,
    scope: `openid profile offline_access ${selfService}`,
  });
});
afterAll(() => service.stop());

const collection = `/t/${tenant}/personal-access-tokens`;

interface RestAnswer {
  status: number;
  challenge: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read arbitrary JSON
  body: any;
}

async function rest(
  method: string,
  accessToken: string | undefined,
  body?: unknown,
  path = collection,
): Promise<RestAnswer> {
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: {
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const text = await response.text();
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate') ?? '',
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function accessToken(
  browser: Browser,
  userName: string,
  fields: Record<string, string> = { scope: `openid profile ${selfService}` },
): Promise<string> {
  const { body } = await redeem(service, app, await signInAndAllow(browser, app, userName, fields));
  return body.access_token ?? '';
}

/** Sets the time of the user's sign-in. */
const age = (userName: string, seconds: number) =>
  service.deps.database.sql.query(
    `UPDATE auth.sessions SET auth_time = now() - make_interval(secs => $2)
      WHERE subject_id = (SELECT id FROM auth.subjects WHERE user_name = $1)`,
    [userName, seconds],
  );

describe('personal access tokens over REST', () => {
  test('Personal access tokens are created, listed and revoked over REST by their user.', async () => {
    await service.person('rest-anna');
    const token = await accessToken(service.browser(), 'rest-anna');
    const made = await rest('POST', token, { name: 'script', scope: 'openid', expires_in: 3_600 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'script', scope: 'openid', hint: made.body.token.slice(-4) });
    expect(Date.parse(made.body.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(await userinfoStatus(service, made.body.token)).toBe(200);
    const listed = await rest('GET', token);
    expect(listed.body.personal_access_tokens).toEqual([expect.objectContaining({ id: made.body.id })]);
    expect(JSON.stringify(listed.body)).not.toContain(made.body.token);
    expect((await rest('DELETE', token, undefined, `${collection}/${made.body.id}`)).status).toBe(204);
    expect(await userinfoStatus(service, made.body.token)).toBe(401);
    expect((await rest('DELETE', token, undefined, `${collection}/${made.body.id}`)).status).toBe(404);
  });

  test('Personal access tokens are not visible to other users, create no others, and have no scope their creator lacks.', async () => {
    await Promise.all([service.person('rest-bert'), service.person('rest-carl')]);
    await service.person('rest-bert', { tenant: rival });
    const bert = await accessToken(service.browser(), 'rest-bert');
    const carl = await accessToken(service.browser(), 'rest-carl');
    const { body } = await rest('POST', bert, { name: 'x' });
    expect((await rest('DELETE', carl, undefined, `${collection}/${body.id}`)).status).toBe(404);
    expect((await rest('GET', carl)).body.personal_access_tokens).toEqual([]);
    expect((await rest('POST', body.token, { name: 'y' })).status).toBe(403);
    expect((await rest('POST', bert, { name: 'y', scope: 'openid users:read' })).body.error).toBe(
      'invalid_scope',
    );
    expect((await rest('GET', bert, undefined, `/t/${rival}/personal-access-tokens`)).status).toBe(401);
    const onlySignIn = await accessToken(service.browser(), 'rest-carl', { scope: 'openid profile' });
    expect((await rest('GET', onlySignIn)).status).toBe(200);
    for (const [method, path] of [
      ['POST', collection],
      ['DELETE', `${collection}/${body.id}`],
    ] as const) {
      const answer = await rest(method, onlySignIn, method === 'POST' ? { name: 'z' } : undefined, path);
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
      expect(answer.challenge).toContain('scope="self:tokens"');
    }
    const withoutOpenid = await accessToken(service.browser(), 'rest-carl', { scope: 'profile' });
    const refused = await rest('GET', withoutOpenid);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.challenge).toContain('scope="openid"');
  });

  test('Invalid input about personal access tokens is answered with an error, never a 500.', async () => {
    await service.person('rest-dora');
    const token = await accessToken(service.browser(), 'rest-dora');
    for (const body of [
      {},
      [],
      null,
      'not json',
      { name: 5 },
      { name: '' },
      { name: 'a\u0000b' },
      { name: '\ud800' },
      { name: 'x'.repeat(101) },
      { name: 'x'.repeat(10_000) },
      { name: 'x', scope: ['openid'] },
      { name: 'x', scope: 'x'.repeat(10_000) },
      { name: 'x', expires_in: 0 },
      { name: 'x', expires_in: '60' },
      { name: 'x', expires_in: 1.5 },
      { name: 'x', expires_in: 1e300 },
      { name: 'x', expires_in: 366 * 86_400 * 4 },
    ]) {
      const answer = await rest('POST', token, body);
      expect([body, answer.status]).toEqual([body, 400]);
    }
    expect((await rest('POST', token, { name: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await rest('PUT', token, {})).status).toBe(405);
    const anonymous = await rest('GET', undefined);
    expect([anonymous.status, anonymous.challenge]).toEqual([
      401,
      expect.stringMatching(/^Bearer realm="http:\/\/localhost:4000\/t\/demo"(?!.*error=)/),
    ]);
    for (const id of ['x', '%00', '00000000-0000-7000-8000-000000000000']) {
      expect((await rest('DELETE', token, undefined, `${collection}/${id}`)).status).toBeLessThan(500);
    }
  });
});

describe('a recent sign-in for long-lived credentials (RFC 9470)', () => {
  const twoFactors = 'acr_values="urn:ostiary:acr:2fa phr"';

  test('An old sign-in is answered with the max_age that is required, over REST and in the graph (RFC 9470).', async () => {
    await service.person('old-anna');
    const browser = service.browser();
    await accessToken(browser, 'old-anna');
    await age('old-anna', 901);
    const old = await accessToken(browser, 'old-anna').catch(async () => {
      const answer = await browser.get(authorizeUrl(app, { scope: `openid profile ${selfService}` }));
      return (await redeem(service, app, new URL(answer.location ?? ''))).body.access_token ?? '';
    });
    const refused = await rest('POST', old, { name: 'x' });
    expect([refused.status, refused.body.error]).toEqual([401, 'insufficient_user_authentication']);
    expect(refused.challenge).toContain('error="insufficient_user_authentication"');
    expect(refused.challenge).toContain('max_age="900"');
    expect(refused.challenge).not.toContain('acr_values');
    // Reading and revoking do not require a recent sign-in.
    expect((await rest('GET', old)).status).toBe(200);
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${old}` },
      body: JSON.stringify({
        query: 'mutation { createPersonalAccessToken(input: { name: "x" }) { token } }',
      }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: unknown }[] };
    expect(errors[0]?.extensions).toEqual({ code: 'INSUFFICIENT_USER_AUTHENTICATION', maxAge: 900 });
  });

  test('A user who has a second factor must use it.', async () => {
    await service.person('weak-anna');
    const browser = service.browser();
    const weak = await accessToken(browser, 'weak-anna');
    expect((await rest('POST', weak, { name: 'x' })).status).toBe(201);
    const { secret } = await setUpApp(service, browser, 'weak-anna');
    const refused = await rest('POST', weak, { name: 'y' });
    expect(refused.status).toBe(401);
    expect(refused.challenge).toContain(twoFactors);
    expect(refused.challenge).toContain('max_age="900"');

    // The client requests the parameters of the challenge and retries.
    const step = {
      scope: `openid profile ${selfService}`,
      acr_values: 'urn:ostiary:acr:2fa phr',
      max_age: '900',
    };
    const elsewhere = service.browser();
    const login = await elsewhere.follow(await elsewhere.get(authorizeUrl(app, step)));
    const verify = await elsewhere.follow(
      await elsewhere.submit(login, { username: 'weak-anna', password, action: 'sign-in' }),
    );
    const done = await elsewhere.submit(verify, { code: appCode(secret), action: 'continue' });
    const { body } = await redeem(service, app, new URL(done.location ?? ''));
    expect((await rest('POST', body.access_token, { name: 'y' })).status).toBe(201);
  });

  test.each(['/password', '/totp', '/passkeys', '/recovery-codes', '/tokens'])(
    'The page account%s requires a new sign-in if the sign-in is old or the session lacks the second factor.',
    async (path) => {
      const userName = `page-${path.slice(1)}`;
      await service.person(userName);
      const browser = service.browser();
      await openAccount(browser, userName);
      const page = await browser.get(`${accountPath}${path}`);
      expect(page.status).toBe(200);
      await age(userName, 901);
      expect((await browser.get(`${accountPath}${path}`)).location).toContain('/login?i=');
      expect((await browser.submit(page, { code: '1' })).location).toContain('/login?i=');
      await age(userName, 0);
      await setUpApp(service, service.browser(), userName);
      expect((await browser.get(`${accountPath}${path}`)).location).toContain('/login?i=');
      expect((await browser.submit(page, { code: '1' })).location).toContain('/login?i=');
      expect((await browser.get(accountPath)).status).toBe(200);
    },
  );
});
