import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Client } from '../../../src/clients/domain/client.ts';
import { type Answer, type Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import { accountPath, openAccount } from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = await service.client();
});
afterAll(() => service.stop());

const nextPassword = 'a field of seven blue tractors';
const scope = 'openid profile offline_access';

const csrfOf = (page: Answer): string => hiddenFields(page).csrf ?? '';

/** Sends one of the account page's forms. */
async function press(browser: Browser, path: string, fields: Record<string, string> = {}): Promise<Answer> {
  // From the password page, because the account page may have no form; all forms have the same token.
  const page = await browser.get(`${accountPath}/password`);
  return browser.post(`${accountPath}/${path}`, { csrf: csrfOf(page), ...fields });
}

const sessionIds = async (id: string): Promise<string[]> => {
  const { rows } = await service.deps.database.sql.query<{ id: string }>(
    'SELECT id FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NULL ORDER BY created_at',
    [id],
  );
  return rows.map((row) => row.id);
};

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get(accountPath)).status === 200;

describe('the account page', () => {
  test('The account page requires a sign-in and leads back to the requested page.', async () => {
    await service.person('visitor');
    const browser = service.browser();
    const first = await browser.get(`${accountPath}/password`);
    expect([first.status, first.location?.split('?')[0]]).toEqual([303, `/t/${tenant}/login`]);
    const page = await openAccount(browser, 'visitor', '/password');
    expect([page.status, page.url]).toEqual([200, `${accountPath}/password`]);
  });

  test('The cancelled sign-in of the account page leads nowhere else, and no client is notified.', async () => {
    const browser = service.browser();
    const login = await browser.follow(await browser.get(accountPath));
    const answer = await browser.submit(login, { action: 'cancel' });
    expect(answer.location).toBe(`/t/${tenant}/signed-out?stayed=1`);
  });

  test('The sign-in of the account page grants nothing to any client.', async () => {
    await service.person('nothing');
    const browser = service.browser();
    const login = await browser.follow(await browser.get(accountPath));
    const { i = '' } = hiddenFields(login);
    for (const page of ['consent', 'select-account']) {
      const answer = await browser.get(`/t/${tenant}/${page}?i=${i}`);
      expect(answer.location ?? '').not.toContain('code=');
    }
    await browser.submit(login, { username: 'nothing', password, action: 'sign-in' });
    expect((await browser.get(`/t/${tenant}/consent?i=${i}`)).location ?? '').not.toContain('code=');
  });

  test('The account page shows names as text.', async () => {
    const odd = await service.client({ client_name: '"><script>alert(1)</script>' });
    await service.person('shower');
    const browser = service.browser();
    await signInAndAllow(browser, odd, 'shower');
    const page = await browser.get(accountPath);
    expect(page.text).toContain('&#60;script&#62;');
    expect(page.text).not.toContain('<script>alert');
  });

  test('Another user, tenant or browser sees nothing of the account page.', async () => {
    await service.person('mine');
    await service.person('theirs');
    const mine = service.browser();
    await openAccount(mine, 'mine');
    const elsewhere = await mine.get(`/t/${rival}/account`);
    expect(elsewhere.location).toMatch(/^\/t\/rival\/login/);
    const theirs = await openAccount(service.browser(), 'theirs');
    expect(theirs.text).not.toContain('The mine');
  });
});

describe('forms of the account page', () => {
  const forms = [
    'password',
    'totp',
    'totp/remove',
    'recovery-codes',
    'passkeys',
    'passkeys/remove',
    'sessions/end',
    'sessions/end-others',
    'apps/withdraw',
    'tokens',
    'tokens/revoke',
  ];

  test.each(forms)('The form %s is accepted only from a page of this session.', async (path) => {
    const userName = `forged-${path.replace('/', '-')}`;
    await service.person(userName);
    const browser = service.browser();
    const page = await openAccount(browser, userName, '/password');
    const foreign = await openAccount(service.browser(), 'theirs', '/password');
    const url = `${accountPath}/${path}`;
    const own = { csrf: csrfOf(page) };
    expect((await browser.post(url, {})).status).toBe(403);
    expect((await browser.post(url, { csrf: csrfOf(foreign) })).status).toBe(403);
    expect((await browser.post(url, own, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const anonymous = await service.browser().post(url, own);
    expect([anonymous.status, anonymous.location?.split('?')[0]]).toEqual([303, `/t/${tenant}/login`]);
    expect((await browser.post(url, '%%%')).status).toBe(400);
  });

  test('A change of the sign-in methods requires a recent sign-in.', async () => {
    await service.person('stale');
    const browser = service.browser();
    const page = await openAccount(browser, 'stale', '/password');
    await service.deps.database.sql.query(
      `UPDATE auth.sessions SET auth_time = now() - interval '16 minutes' WHERE subject_id IN
         (SELECT id FROM auth.subjects WHERE user_name = 'stale')`,
    );
    expect((await browser.get(accountPath)).status).toBe(200);
    for (const path of ['password', 'totp', 'recovery-codes', 'passkeys', 'tokens']) {
      expect([path, (await browser.get(`${accountPath}/${path}`)).status]).toEqual([path, 303]);
      const posted = await browser.post(`${accountPath}/${path}`, { csrf: csrfOf(page) });
      expect([path, posted.location?.split('?')[0]]).toEqual([path, `/t/${tenant}/login`]);
    }
  });
});

describe('sessions and apps', () => {
  test('A user ends one session immediately with its tokens, and the others stay.', async () => {
    const person = await service.person('ender');
    const far = service.browser();
    const { body } = await redeem(service, client, await signInAndAllow(far, client, 'ender'));
    const near = service.browser();
    await openAccount(near, 'ender');
    const [first = ''] = await sessionIds(person.id);
    expect((await press(near, 'sessions/end', { id: first })).location).toBe(`${accountPath}?done=1`);
    expect(await isSignedIn(far)).toBe(false);
    expect(await isSignedIn(near)).toBe(true);
    expect(await userinfoStatus(service, body.access_token ?? '')).toBe(401);
  });

  test('A user cannot end the session of another user.', async () => {
    const victim = await service.person('ender-victim');
    await service.person('ender-thief');
    const far = service.browser();
    await openAccount(far, 'ender-victim');
    const thief = service.browser();
    await openAccount(thief, 'ender-thief');
    const [id = ''] = await sessionIds(victim.id);
    await press(thief, 'sessions/end', { id });
    for (const odd of ['', 'x', "' OR 1=1 --"]) {
      expect((await press(thief, 'sessions/end', { id: odd })).status).toBe(303);
    }
    expect(await isSignedIn(far)).toBe(true);
  });

  test('The withdrawal of an app ends its tokens, and the app must ask for consent again.', async () => {
    await service.person('withdrawer');
    const other = await service.client();
    const browser = service.browser();
    const answer = await signInAndAllow(browser, client, 'withdrawer', { scope });
    const { body } = await redeem(service, client, answer);
    const kept = await redeem(
      service,
      other,
      await signInAndAllow(browser, other, 'withdrawer', { prompt: 'login' }),
    );
    expect((await browser.get(accountPath)).text).toContain('Notes &#60;App&#62;');
    await press(browser, 'apps/withdraw', { client: client.clientId });
    expect(await userinfoStatus(service, body.access_token ?? '')).toBe(401);
    expect(await userinfoStatus(service, kept.body.access_token ?? '')).toBe(200);
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' };
    expect((await token(service, client, form)).body.error).toBe('invalid_grant');
    const again = await browser.follow(await browser.get(authorizeUrl(client, { scope })));
    expect(again.text).toContain('action="/t/demo/consent"');
  });
});

describe('changing the password', () => {
  const change = async (browser: Browser, fields: Record<string, string>): Promise<Answer> =>
    browser.submit(await browser.get(`${accountPath}/password`), {
      present: password,
      password: nextPassword,
      repeated: nextPassword,
      ...fields,
    });

  test('A password change requires the current password and reports errors of the new one.', async () => {
    await service.person('changer');
    const browser = service.browser();
    await openAccount(browser, 'changer');
    const cases: [Record<string, string>, number, string][] = [
      [{ present: 'not the right one' }, 403, 'Current password is incorrect'],
      [{ present: '' }, 400, 'Enter your current password'],
      [{ password: 'short', repeated: 'short' }, 400, 'at least 12 characters'],
      [{ repeated: 'something else entirely' }, 400, 'Passwords don’t match'],
      [{ password, repeated: password }, 400, 'This is your current password'],
      [{ password: 'The changer!', repeated: 'The changer!' }, 400, 'too easy'],
      [{ password: 'changerchanger', repeated: 'changerchanger' }, 400, 'too easy'],
      [{ password: 'aaaaaaaaaaaaaaaa', repeated: 'aaaaaaaaaaaaaaaa' }, 400, 'too easy'],
      [{ password: 'ä'.repeat(600), repeated: 'ä'.repeat(600) }, 400, 'too long'],
    ];
    for (const [fields, status, words] of cases) {
      const answer = await change(browser, fields);
      expect([JSON.stringify(fields).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(fields).slice(0, 60),
        status,
      ]);
      expect(answer.text).toContain(words);
      expect(answer.text).not.toContain(nextPassword);
    }
    expect((await signIn(service.browser(), client, 'changer')).status).toBe(200);
  });

  test('A password change ends every other session and grant, including offline ones, but not this session.', async () => {
    await service.person('mover');
    const far = service.browser();
    const { body } = await redeem(service, client, await signInAndAllow(far, client, 'mover', { scope }));
    const gone = service.browser();
    const offline = await redeem(service, client, await signInAndAllow(gone, client, 'mover', { scope }));
    const logout = await gone.get(`/t/${tenant}/logout`);
    await gone.submit(logout, { action: 'sign-out' });

    const near = service.browser();
    const own = await redeem(service, client, await signInAndAllow(near, client, 'mover', { scope }));
    expect((await change(near, {})).location).toBe(`${accountPath}?done=1`);
    expect(await isSignedIn(near)).toBe(true);
    expect(await isSignedIn(far)).toBe(false);
    expect(await userinfoStatus(service, own.body.access_token ?? '')).toBe(200);
    for (const dead of [body, offline.body]) {
      expect(await userinfoStatus(service, dead.access_token ?? '')).toBe(401);
      const form = { grant_type: 'refresh_token', refresh_token: dead.refresh_token ?? '' };
      expect((await token(service, client, form)).body.error).toBe('invalid_grant');
    }
    expect((await signIn(service.browser(), client, 'mover')).status).toBe(401);
    const renewed = await signIn(service.browser(), client, 'mover', { password: nextPassword });
    expect(renewed.status === 200 || renewed.location?.includes('code=')).toBe(true);
  });

  test.each([
    ['has expired', `UPDATE auth.sessions SET expires_at = now() - interval '1 minute' WHERE id = $1`],
    ['expired long ago and is not kept any more', 'DELETE FROM auth.sessions WHERE id = $1'],
  ])('A password change also ends the grants of a session that %s.', async (how, end) => {
    const person = await service.person(`outlived-${how.length}`);
    const { body } = await redeem(
      service,
      client,
      await signInAndAllow(service.browser(), client, person.userName),
    );
    const [id] = await sessionIds(person.id);
    await service.deps.database.sql.query(end, [id]);
    const refresh = (refreshToken = '') =>
      token(service, client, { grant_type: 'refresh_token', refresh_token: refreshToken });
    const refreshed = await refresh(body.refresh_token);
    expect(refreshed.status).toBe(200);
    const near = service.browser();
    await openAccount(near, person.userName);
    expect((await change(near, {})).location).toBe(`${accountPath}?done=1`);
    expect((await refresh(refreshed.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await userinfoStatus(service, refreshed.body.access_token ?? '')).toBe(401);
  });

  test('A password replaced by an administrator ends offline grants and the grants of deleted sessions.', async () => {
    const person = await service.person('outlived-twice');
    const offline = service.browser();
    const answers = [
      await redeem(service, client, await signInAndAllow(offline, client, person.userName, { scope })),
      await redeem(service, client, await signInAndAllow(service.browser(), client, person.userName)),
    ];
    await offline.submit(await offline.get(`/t/${tenant}/logout`), { action: 'sign-out' });
    await service.deps.database.sql.query(
      'DELETE FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NULL',
      [person.id],
    );
    const refreshed = () =>
      Promise.all(
        answers.map(async (answer) => {
          const refreshToken = answer.body.refresh_token ?? '';
          const next = await token(service, client, {
            grant_type: 'refresh_token',
            refresh_token: refreshToken,
          });
          answer.body.refresh_token = next.body.refresh_token ?? refreshToken;
          return next.status;
        }),
      );
    expect(await refreshed()).toEqual([200, 200]);
    const { stagedPasswords } = service.deps;
    await stagedPasswords.activate(
      tenant,
      await stagedPasswords.stage(tenant, person.id, nextPassword, { carriedRoles: null }),
    );
    expect(await refreshed()).toEqual([400, 400]);
  });

  test('Guesses at the current password are throttled.', async () => {
    await service.person('guessed');
    const browser = service.browser();
    await openAccount(browser, 'guessed');
    const page = await browser.get(`${accountPath}/password`);
    const answers = await Promise.all(
      Array.from({ length: 14 }, () =>
        browser.submit(page, { present: 'wrong', password: nextPassword, repeated: nextPassword }),
      ),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  test('Only one of ten parallel password changes succeeds.', async () => {
    await service.person('parallel');
    const browser = service.browser();
    await openAccount(browser, 'parallel');
    const page = await browser.get(`${accountPath}/password`);
    const wanted = Array.from({ length: 10 }, (_, n) => `${nextPassword} ${n}`);
    const answers = await Promise.all(
      wanted.map((text) => browser.submit(page, { present: password, password: text, repeated: text })),
    );
    expect(answers.filter((answer) => answer.location?.includes('done'))).toHaveLength(1);
  });
});

test('Personal access tokens are created, shown once, listed without their value and revoked.', async () => {
  await service.person('tokener');
  const browser = service.browser();
  await openAccount(browser, 'tokener');
  const form = await browser.get(`${accountPath}/tokens`);
  const none = await browser.submit(form, { name: 'script' });
  expect([none.status, none.text.includes('at least one permission')]).toEqual([400, true]);
  const beyond = await browser.submit(form, { name: 'script', scope: 'users:write', days: '30' });
  expect(beyond.status).toBe(400);
  const posted = await browser.submit(form, { name: 'my <script>', scope: 'openid', days: '30' });
  expect(posted.status).toBe(303);
  const made = await browser.follow(posted);
  const value = /ost_pat_[A-Za-z0-9_-]+/.exec(made.text)?.[0] ?? '';
  expect(await userinfoStatus(service, value)).toBe(200);
  const listed = await browser.get(accountPath);
  expect(listed.text).toContain('my &#60;script&#62;');
  expect(listed.text).not.toContain(value);

  await service.person('tokener-thief');
  const thief = service.browser();
  await openAccount(thief, 'tokener-thief');
  expect((await thief.get(posted.location ?? '')).text).not.toContain(value);
  const id = /action="[^"]*tokens\/revoke">[\s\S]*?name="id" value="([^"]+)"/.exec(listed.text)?.[1] ?? '';
  await press(thief, 'tokens/revoke', { id });
  expect(await userinfoStatus(service, value)).toBe(200);
  await press(browser, 'tokens/revoke', { id });
  expect(await userinfoStatus(service, value)).toBe(401);
});

test('A deactivated user no longer has an account page.', async () => {
  const person = await service.person('leaver');
  const browser = service.browser();
  await openAccount(browser, 'leaver');
  await service.directory.change(tenant, person.id, 'user.deactivated');
  await eventually(async () => !(await isSignedIn(browser)));
});
