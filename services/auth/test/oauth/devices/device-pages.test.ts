import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitingAnew } from '../../support/sign-in/attempts.ts';
import { type Answer, type Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import {
  password,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const issuer = `http://localhost:4000/t/${tenant}`;

let service: TestService;
let tv: Awaited<ReturnType<TestService['client']>>;

beforeAll(async () => {
  service = await startTestService();
  tv = await deviceClient();
  await service.person('alice');
});
afterAll(() => service.stop());

const deviceClient = (of = tenant) =>
  service.client(
    {
      client_name: 'TV <set>',
      application_type: 'native',
      grant_types: [deviceGrant, 'authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.example/callback'],
      scope: 'openid profile email offline_access',
    },
    of,
  );

interface Codes {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}

async function begin(client = tv, scope = 'openid profile'): Promise<Codes> {
  const response = await fetch(`${service.origin}/t/${client.tenant}/device_authorization`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: client.clientId, scope }),
  });
  return (await response.json()) as Codes;
}

const poll = (codes: Codes, client = tv) =>
  token(service, client, { grant_type: deviceGrant, device_code: codes.device_code });

const path = (address: string | undefined): string => {
  const url = new URL(address ?? '', 'http://localhost:4000');
  return url.pathname + url.search;
};

/** Enters the code. Ends at the sign-in page, the confirmation, or the entry page with an error. */
async function enter(browser: Browser, userCode: string, of = tenant): Promise<Answer> {
  const page = await browser.get(`/t/${of}/device`);
  return browser.follow(await browser.submit(page, { user_code: userCode }));
}

const signIn = async (browser: Browser, page: Answer, username = 'alice') =>
  browser.follow(await browser.submit(page, { username, password, action: 'sign-in' }));

/** Continues to the confirmation of the device. */
const confirmation = async (browser: Browser, codes: Codes) =>
  signIn(browser, await enter(browser, codes.user_code));

/** Submits the confirmation. Ends at the final page. */
async function answer(browser: Browser, page: Answer, action: 'allow' | 'deny'): Promise<Answer> {
  const sent = await browser.submit(page, { action });
  expect(sent.status).toBe(303);
  return browser.get(path(sent.location));
}

describe('the device page', () => {
  test('The device page leads from the code through sign-in to consent, and the device gets tokens of that user.', async () => {
    const codes = await begin();
    const browser = service.browser();
    const login = await enter(browser, codes.user_code.toLowerCase().replace('-', ' '));
    expect(login.text).toContain('type="password"');
    const question = await signIn(browser, login);
    expect(question.text).toContain('TV &#60;set&#62;');
    expect(question.text).toContain(codes.user_code);
    expect(question.text).toContain('See your name');
    expect((await poll(codes)).body.error).toBe('authorization_pending');

    const end = await answer(browser, question, 'allow');
    expect(end.text).toContain('Your device is connected');
    const tokens = await poll(codes);
    expect(tokens.status).toBe(200);
    expect(await userinfoStatus(service, tokens.body.access_token ?? '')).toBe(200);
  });

  test('A link that contains the code fills it in, and the user is still asked to confirm.', async () => {
    const codes = await begin();
    expect(codes.verification_uri_complete).toBe(`${issuer}/device?user_code=${codes.user_code}`);
    const browser = service.browser();
    await signInAndAllow(browser, tv, 'alice');
    const page = await browser.get(path(codes.verification_uri_complete));
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${codes.user_code}"`);
    const question = await browser.follow(await browser.submit(page, { user_code: codes.user_code }));
    // The confirmation is required even with a session and an earlier consent.
    expect(question.text).toContain('name="action" value="allow"');
    expect((await poll(codes)).body.error).toBe('authorization_pending');
  });

  test('A link with a code does not reveal whether the code is valid.', async () => {
    const { user_code: right } = await begin();
    const show = async (code: string) =>
      (await service.browser().get(`/t/${tenant}/device?user_code=${code}`)).text
        .replaceAll(code, 'CODE')
        .replace(/name="csrf" value="[^"]+"/, '');
    expect(await show('BBBB-BBBB')).toBe(await show(right));
  });

  test('When the user denies the request, the device receives access_denied and the user code is consumed.', async () => {
    const codes = await begin();
    const browser = service.browser();
    const end = await answer(browser, await confirmation(browser, codes), 'deny');
    expect(end.text).toContain('was not connected');
    expect((await poll(codes)).body.error).toBe('access_denied');
    expect((await enter(service.browser(), codes.user_code)).status).toBe(400);
  });

  test('Cancelling at the sign-in page also denies the request of the device.', async () => {
    const codes = await begin();
    const browser = service.browser();
    const login = await enter(browser, codes.user_code);
    const sent = await browser.submit(login, { action: 'cancel' });
    expect((await browser.get(path(sent.location))).text).toContain('was not connected');
    expect((await poll(codes)).body.error).toBe('access_denied');
  });

  test('A second click leads to the same address as the first.', async () => {
    const codes = await begin();
    const browser = service.browser();
    const question = await confirmation(browser, codes);
    const [first, second] = await Promise.all([
      browser.submit(question, { action: 'allow' }),
      browser.submit(question, { action: 'allow' }),
    ]);
    expect(second.location).toBe(first.location);
    expect((await poll(codes)).status).toBe(200);
  });

  test('When two users answer, the first answer counts and the second user is notified.', async () => {
    await service.person('mallory');
    const anna = await service.person('anna');
    const codes = await begin();
    const [a, b] = [service.browser(), service.browser()];
    const question = await signIn(a, await enter(a, codes.user_code), 'anna');
    const other = await signIn(b, await enter(b, codes.user_code), 'mallory');
    expect((await answer(a, question, 'allow')).text).toContain('is connected');
    expect((await answer(b, other, 'allow')).text).toContain('no longer valid');
    const claims = JSON.parse(
      Buffer.from((await poll(codes)).body.id_token?.split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims.sub).toBe(anna.id);
  });

  test('A user code of another tenant is rejected.', async () => {
    const codes = await begin(await deviceClient(rival), 'openid');
    expect((await enter(service.browser(), codes.user_code)).status).toBe(400);
    expect((await enter(service.browser(), codes.user_code, rival)).text).toContain('type="password"');
  });

  test('A user code of a disabled client is rejected.', async () => {
    const client = await deviceClient();
    const codes = await begin(client);
    await service.deps.clientRegistry.disable(tenant, client.clientId);
    expect((await enter(service.browser(), codes.user_code)).status).toBe(400);
  });
});

describe('forged forms', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the token', { csrf: '' }, {}],
    ['with another token', { csrf: 'A'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('A form sent %s receives 403 and looks nothing up.', async (_, fields, headers) => {
    const codes = await begin();
    const browser = service.browser();
    const page = await browser.get(`/t/${tenant}/device`);
    const sent = await browser.post(
      `/t/${tenant}/device`,
      { ...hiddenFields(page), user_code: codes.user_code, ...fields },
      headers,
    );
    expect(sent.status).toBe(403);
  });

  test('A form token of another browser or of the page of another tenant receives 403.', async () => {
    const codes = await begin();
    const browser = service.browser();
    const foreign = hiddenFields(await service.browser().get(`/t/${tenant}/device`));
    const elsewhere = hiddenFields(await browser.get(`/t/${rival}/device`));
    for (const fields of [foreign, elsewhere]) {
      const sent = await browser.post(`/t/${tenant}/device`, { ...fields, user_code: codes.user_code });
      expect(sent.status).toBe(403);
    }
  });

  test('The consent page cannot be answered from another browser.', async () => {
    const codes = await begin();
    const browser = service.browser();
    const question = await confirmation(browser, codes);
    expect((await service.browser().submit(question, { action: 'allow' })).status).toBe(403);
    expect((await poll(codes)).body.error).toBe('authorization_pending');
  });
});

describe('bad input', () => {
  test.each([
    ['markup', '"><script>alert(1)</script>'],
    ['nothing', ''],
    ['a long text', 'B'.repeat(60_000)],
    ['other letters', 'ÀÀÀÀ-ÀÀÀÀ'],
    ['a code with one letter more', 'BBBB-BBBBB'],
    ['a property of objects', '__proto__'],
  ])('Input of %s as a code is reported as wrong and displayed escaped.', async (_, userCode) => {
    const page = await enter(service.browser(), userCode, rival);
    expect(page.status).toBe(400);
    expect(page.text).not.toContain('<script>');
    expect(page.text.length).toBeLessThan(20_000);
  });

  test('A link with markup, a repeated code, NUL or broken UTF-8 is handled safely.', async () => {
    const show = (query: string) => service.browser().get(`/t/${tenant}/device?${query}`);
    expect((await show('user_code=%22%3E%3Cscript%3E')).text).not.toContain('<script>');
    expect((await show('user_code=BBBB-BBBB&user_code=CCCC-CCCC')).text).toContain('value=""');
    expect((await show('user_code=%00')).status).toBe(400);
    expect((await show('user_code=%ff')).status).toBe(400);
    expect((await service.browser().get('/t/nobody/device')).status).toBe(404);
  });

  test('The last page ignores error descriptions in its address.', async () => {
    const show = (query: string) => service.browser().get(`/t/${tenant}/device/finished?${query}`);
    const page = await show('error=nonsense&error_description=Call+555');
    expect(page.text).toContain('could not be connected');
    expect(page.text).not.toContain('555');
    expect((await show('error=access_denied')).text).toContain('was not connected');
  });

  test('The device page cannot be framed, scripted or cached.', async () => {
    const { headers } = await service.browser().get(`/t/${tenant}/device`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('guessing (RFC 8628 §5.1)', () => {
  let own: TestService;
  beforeAll(async () => {
    own = await startTestService();
  });
  afterAll(() => own.stop());

  const guess = async (browser: Browser, of = tenant, userCode = 'BBBB-BBBB') => {
    const page = await browser.get(`/t/${of}/device`);
    return (await browser.submit(page, { user_code: userCode })).status;
  };
  const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

  test('50 parallel guesses of one browser count like serial ones, and only five are checked.', async () => {
    const browser = own.browser();
    await browser.get(`/t/${tenant}/device`);
    const pages = await Promise.all(Array.from({ length: 50 }, () => browser.get(`/t/${tenant}/device`)));
    const answers = await Promise.all(pages.map((page) => browser.submit(page, { user_code: 'BBBB-BBBB' })));
    const statuses = answers.map(({ status }) => status);
    expect([count(statuses, 400), count(statuses, 429)]).toEqual([5, 45]);
  });

  test('After five guesses, further codes receive 429 with Retry-After.', async () => {
    const browser = own.browser();
    for (let i = 0; i < 5; i += 1) await guess(browser);
    const page = await browser.get(`/t/${tenant}/device`);
    await waitingAnew(own);
    const answered = await browser.submit(page, { user_code: 'CCCC-CCCC' });
    expect(answered.status).toBe(429);
    expect(Number(answered.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('New cookies for every guess do not bypass the limit, because the address is counted too.', async () => {
    const statuses = await Promise.all(Array.from({ length: 80 }, () => guess(own.browser())));
    expect(count(statuses, 400)).toBeLessThanOrEqual(50);
    expect(count(statuses, 429)).toBeGreaterThanOrEqual(30);
  });

  test('Guesses in one tenant do not slow down another tenant.', async () => {
    expect(await guess(own.browser(), rival)).toBe(400);
  });
});
