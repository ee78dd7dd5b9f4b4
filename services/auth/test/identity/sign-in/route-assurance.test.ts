import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { oidcScopes, selfScopes } from '@ostiary/access';
import { routeConferrals } from '../../../src/app.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { Browser } from '../../support/sign-in/browser.ts';
import { openAccount } from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';

const routes = Object.entries(routeConferrals({ deviceFlow: true })).map(([name, conferral]) => {
  const [method = '', url = ''] = name.split(' ');
  return { name, method, url, ...conferral };
});

let service: TestService;
let app: Client;
beforeAll(async () => {
  service = await startTestService();
  const scope = [...Object.keys(oidcScopes), ...Object.keys(selfScopes)].join(' ');
  app = await service.client({ require_consent: false, scope });
});
afterAll(() => service?.stop());

const addressOf = (url: string): string =>
  url.replace(':tenant', tenant).replace(/:[a-zA-Z]+/g, '01990000-0000-7000-8000-000000000000');

interface Answer {
  status: number;
  location: string;
  challenge: string;
  /** Only of JSON responses. */
  error: string | undefined;
}

const forms = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

/** Sends an invalid request to a route. */
async function nonsense(
  { method, url }: { method: string; url: string },
  headers: Record<string, string> = {},
  type: typeof forms | typeof json = forms,
): Promise<Answer> {
  const response = await fetch(`${service.origin}${addressOf(url)}`, {
    method,
    redirect: 'manual',
    ...(method === 'DELETE'
      ? { headers }
      : { headers: { ...type, ...headers }, body: type === json ? '{"nonsense":1}' : 'nonsense=1' }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    challenge: response.headers.get('www-authenticate') ?? '',
    error: isJson ? JSON.parse(text).error : undefined,
  };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function tokenOf(userName: string, scope: string): Promise<string> {
  const callback = await signInAndAllow(service.browser(), app, userName, { scope });
  return (await redeem(service, app, callback)).body.access_token ?? '';
}

/** Makes every session one hour old. */
const age = () =>
  service.deps.database.sql.query(`UPDATE auth.sessions SET auth_time = now() - interval '1 hour'`);

describe('routes that require a recent sign-in', () => {
  const recent = routes.filter(({ assurance }) => assurance === 'recent sign-in');
  const pages = recent.filter(({ url }) => url.includes('/account/'));
  const byToken = recent.filter((route) => !pages.includes(route));

  test('The routes that require a recent sign-in are exactly the listed ones.', () => {
    expect(recent.map(({ name }) => name).sort()).toEqual([
      'POST /t/:tenant/account/passkeys',
      'POST /t/:tenant/account/passkeys/remove',
      'POST /t/:tenant/account/password',
      'POST /t/:tenant/account/recovery-codes',
      'POST /t/:tenant/account/tokens',
      'POST /t/:tenant/account/totp',
      'POST /t/:tenant/account/totp/remove',
      'POST /t/:tenant/personal-access-tokens',
    ]);
  });

  describe('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      await service.person('recent-anna');
      browser = service.browser();
      await openAccount(browser, 'recent-anna');
    });

    test.each(pages)(
      '$name asks a user with an old session to sign in first, and then returns to the page.',
      async ({ url }) => {
        // With a recent sign-in the form itself is rejected.
        await service.deps.database.sql.query('UPDATE auth.sessions SET auth_time = now()');
        expect((await browser.post(addressOf(url), 'nonsense=1')).status).toBe(403);
        await age();
        const sent = await browser.post(addressOf(url), 'nonsense=1');
        expect([sent.status, sent.location]).toEqual([
          303,
          expect.stringMatching(`^/t/${tenant}/login\\?i=[\\w-]+$`),
        ]);
        const page = await browser.clone().get(sent.location ?? '');
        expect([page.status, page.text.includes('recent-anna')]).toEqual([200, true]);
      },
    );

    test.each(pages)('$name asks a caller without a session to sign in first.', async ({ url }) => {
      const sent = await service.browser().post(addressOf(url), 'nonsense=1');
      expect([sent.status, sent.location]).toEqual([303, expect.stringContaining('/login?i=')]);
    });
  });

  test.each(byToken)('$name reports an old token as old, regardless of other errors.', async (route) => {
    await service.person('recent-bert');
    const browser = service.browser();
    const fields = { scope: 'openid self:tokens' };
    const given = async (callback: URL) => (await redeem(service, app, callback)).body.access_token ?? '';
    const token = await given(await signInAndAllow(browser, app, 'recent-bert', fields));
    expect((await nonsense(route, bearer(token), json)).status).toBe(400);
    await age();
    const { location } = await browser.get(authorizeUrl(app, fields));
    const old = await nonsense(route, bearer(await given(new URL(location ?? ''))), json);
    expect([old.status, old.challenge]).toEqual([401, expect.stringContaining('max_age="900"')]);
    expect(old.error).toBe('insufficient_user_authentication');
  });
});

describe('self-service with a token', () => {
  /** Routes at which a user's token changes nothing: any holder may read, introspect or revoke it. */
  const readers = ['POST /t/:tenant/userinfo'];
  const all = routes.filter(({ name }) => !readers.includes(name) && name !== 'POST /graphql');
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    await service.person('self-cora');
    const everyday = Object.keys(oidcScopes).join(' ');
    for (const scope of [everyday, ...Object.keys(selfScopes)])
      tokens.set(scope === everyday ? 'none' : scope, await tokenOf('self-cora', `openid ${scope}`));
  });

  /** Responses to unauthenticated requests, by route and type. */
  const strangers = new Map<string, Promise<Answer>>();

  /**
   * Reports whether the route accepts the token: without a token or scope, the response equals that to an
   * unauthenticated request.
   */
  async function opens(route: (typeof all)[number], scope: string): Promise<boolean> {
    // A request without a body has no content type.
    for (const type of route.method === 'DELETE' ? [forms] : [forms, json]) {
      const stranger = `${route.name} ${type['content-type']}`;
      if (!strangers.has(stranger)) strangers.set(stranger, nonsense(route, {}, type));
      const without = await strangers.get(stranger);
      const answer = await nonsense(route, bearer(tokens.get(scope) ?? ''), type);
      const alike = answer.status === without?.status && answer.error === without.error;
      if (!alike && ![401, 403].includes(answer.status)) return true;
    }
    return false;
  }

  test('A token without a scope for self-service changes nothing, at any route that exists.', async () => {
    expect(all.length).toBeGreaterThan(30);
    for (const route of all) expect([route.name, await opens(route, 'none')]).toEqual([route.name, false]);
  });

  test('Each self-service scope permits the operations it names, and nothing else.', async () => {
    const opened: string[] = [];
    for (const scope of Object.keys(selfScopes))
      for (const route of all) if (await opens(route, scope)) opened.push(`${scope} ${route.name}`);
    expect(opened.sort()).toEqual([
      'self:tokens DELETE /t/:tenant/personal-access-tokens/:id',
      'self:tokens POST /t/:tenant/personal-access-tokens',
    ]);
  });
});
