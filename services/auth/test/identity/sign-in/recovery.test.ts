import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { waitingAnew } from '../../support/sign-in/attempts.ts';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { type Answer, Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { chosen, invitationPath, linkFor } from '../../support/sign-in/recovering.ts';
import {
  accountPath,
  moved,
  openAccount,
  setUpApp,
  shownCodes,
  startTwin,
} from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  rival,
  signIn,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

setUpOneClient();

const recoverPath = `/t/${tenant}/login/recover`;

/** Sends the passkey form of a page that sets the first one. */
const setPasskey = (browser: Browser, page: Answer, authenticator: Authenticator): Promise<Answer> =>
  browser.post(invitationPath, {
    ...hiddenFields(page),
    credential: authenticator.create(passkeyOptions(page)),
  });

/** Returns a user whose only credential is a passkey, with the recovery codes. */
async function withPasskeyOnly(userName: string) {
  const { id } = service.directory.addUser(tenant, userName);
  const browser = service.browser();
  const authenticator = new Authenticator();
  const page = await browser.get(await linkFor(id));
  const codes = shownCodes(await browser.follow(await setPasskey(browser, page, authenticator)));
  expect(codes).toHaveLength(10);
  return { id, browser, authenticator, codes };
}

async function atSignIn(browser: Browser = service.browser()): Promise<{ browser: Browser; page: Answer }> {
  return { browser, page: await browser.follow(await browser.get(authorizeUrl(client))) };
}

/** Returns the response to a user name and a recovery code. */
async function recover(
  userName: string,
  code: string,
  from?: Browser,
): Promise<{ browser: Browser; answer: Answer }> {
  const { browser, page } = await atSignIn(from);
  const form = await browser.get(`${recoverPath}?i=${hiddenFields(page).i}`);
  expect(form.status).toBe(200);
  return { browser, answer: await browser.submit(form, { username: userName, code }) };
}

async function signInWithPasskey(authenticator: Authenticator): Promise<Answer> {
  const { browser, page } = await atSignIn();
  const { i = '', csrf = '' } = hiddenFields(page);
  const credential = authenticator.get(passkeyOptions(page));
  return browser.post(`/t/${tenant}/login/passkey`, { i, csrf, credential });
}

describe('a user whose only passkey is lost', () => {
  test('A user signs in with a recovery code, sets a new passkey, and all access from before ends.', async () => {
    const { id, browser: before, authenticator: lost, codes } = await withPasskeyOnly('lost-key');
    const app = await service.client({ require_consent: false });
    const location = (await before.get(authorizeUrl(app))).location ?? '';
    const { body } = await redeem(service, app, new URL(location));
    const { browser, answer } = await recover(' LOST-key ', (codes[0] ?? '').toUpperCase());
    expect([answer.status, answer.location?.split('?')[0]]).toEqual([303, invitationPath]);
    const log = await service.deps.database.sql.query(
      "SELECT actor FROM auth.security_log WHERE action = 'user.recovery_begun' AND resource_id = $1",
      [id],
    );
    expect(log.rows).toEqual([{ actor: { kind: 'user', id } }]);
    // Nothing has been revoked yet, and the user is not signed in.
    expect((await before.get(accountPath)).status).toBe(200);
    expect((await browser.get(accountPath)).location).toContain('/login?i=');

    const page = await browser.get(answer.location ?? '');
    expect(page.text).toContain('Reset your access');
    expect(page.text).toContain('stop working');
    const fresh = new Authenticator();
    const done = await browser.follow(await setPasskey(browser, page, fresh));
    const newCodes = shownCodes(done);
    expect(newCodes).toHaveLength(10);
    expect(newCodes).not.toContain(codes[1]);
    expect(done.text).toContain('You have no password');

    expect((await browser.get(accountPath)).status).toBe(200);
    expect((await before.get(accountPath)).location).toContain('/login?i=');
    expect(await userinfoStatus(service, body.access_token ?? '')).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' };
    expect((await token(service, app, refresh)).body.error).toBe('invalid_grant');
    expect((await signInWithPasskey(lost)).status).toBe(401);
    expect((await signInWithPasskey(fresh)).location).toMatch(/\?code=/);
    expect((await recover('lost-key', codes[1] ?? '')).answer.status).toBe(401);
  });

  test('A user whose only passkey is lost may set a password after the recovery code.', async () => {
    const { codes } = await withPasskeyOnly('lost-to-password');
    const { browser, answer } = await recover('lost-to-password', codes[3] ?? '');
    const page = await browser.get(answer.location ?? '');
    const done = await browser.submit(page, { password: chosen, repeated: chosen });
    expect([done.status, done.location]).toEqual([303, accountPath]);
    expect(
      (await signIn(service.browser(), client, 'lost-to-password', { password: chosen })).location,
    ).toMatch(/\?code=/);
  });

  test('A user who does not complete the recovery loses only the recovery code.', async () => {
    const { authenticator, codes } = await withPasskeyOnly('half-way');
    expect((await recover('half-way', codes[0] ?? '')).answer.status).toBe(303);
    expect((await signInWithPasskey(authenticator)).location).toMatch(/\?code=/);
    expect((await recover('half-way', codes[0] ?? '')).answer.status).toBe(401);
    expect((await recover('half-way', codes[1] ?? '')).answer.status).toBe(303);
  });

  test('A recovery code counts once in twenty parallel forms across two processes.', async () => {
    const { codes } = await withPasskeyOnly('code-race');
    const { browser, page } = await atSignIn();
    const form = await browser.get(`${recoverPath}?i=${hiddenFields(page).i}`);
    const fields = { ...hiddenFields(form), username: 'code-race', code: codes[0] ?? '' };
    const twin = await startTwin(service);
    try {
      // Within the number of attempts without a delay.
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, n) =>
          (n % 2 === 0 ? browser : moved(browser, twin.origin)).post(recoverPath, fields),
        ),
      );
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(8);
    } finally {
      await twin.stop();
    }
  });

  test('A recovery is possible for fifteen minutes, and at this tenant only.', async () => {
    const { codes } = await withPasskeyOnly('late-comer');
    const { browser, answer } = await recover('late-comer', codes[0] ?? '');
    const link = answer.location ?? '';
    expect((await browser.get(link.replace(tenant, rival))).status).toBe(410);
    const { rows } = await service.deps.database.sql.query<{ seconds: number }>(
      `SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM auth.invitations WHERE resets`,
    );
    expect(Math.max(...rows.map(({ seconds }) => seconds))).toBeLessThanOrEqual(900);
    await service.deps.database.sql.query(
      `UPDATE auth.invitations SET expires_at = now() - interval '1 second'`,
    );
    expect((await browser.get(link)).status).toBe(410);
  });
});

describe('a rejected recovery code', () => {
  const refusal = (page: Answer) => [page.status, /<div class="summary".*?<\/div>/s.exec(page.text)?.[0]];

  test('A recovery code does not replace the password of a user who has one, and the answer is that for any user.', async () => {
    await service.person('has-password');
    const { codes } = await setUpApp(service, service.browser(), 'has-password');
    const inactive = await withPasskeyOnly('inactive-key');
    await service.directory.change(tenant, inactive.id, 'user.deactivated');
    await eventually(async () => (await service.deps.subjects.find(tenant, inactive.id))?.active === false);
    const person = await withPasskeyOnly('passkey-only');
    const other = await withPasskeyOnly('other-one');
    const answers = await Promise.all(
      (
        [
          ['has-password', codes[0] ?? ''],
          ['nobody-at-all', codes[0] ?? ''],
          ['passkey-only', 'aaaaa-aaaaa'],
          ['passkey-only', 'nonsense'],
          ['passkey-only', other.codes[0] ?? ''],
          ['inactive-key', inactive.codes[0] ?? ''],
          ['x'.repeat(1_024), person.codes[0] ?? ''],
        ] as const
      ).map(async ([userName, code]) => {
        const began = performance.now();
        const { answer } = await recover(userName, code);
        expect(performance.now() - began).toBeGreaterThan(110);
        return refusal(answer);
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.[0]).toBe(401);
    // It was not consumed.
    const browser = service.browser();
    const second = await signIn(browser, client, 'has-password');
    const done = await browser.submit(second, { code: codes[0] ?? '', action: 'continue' });
    expect(done.location).toMatch(/\?code=/);
  });

  test('Guesses of recovery codes count together with guesses of passwords, for existing and unknown users.', async () => {
    const { codes } = await withPasskeyOnly('guessed-at');
    for (const userName of ['guessed-at', 'guessed-nobody']) {
      const { browser, page } = await atSignIn();
      const form = await browser.get(`${recoverPath}?i=${hiddenFields(page).i}`);
      const fields = hiddenFields(form);
      const guess = (code: string) => browser.post(recoverPath, { ...fields, username: userName, code });
      const answers = await Promise.all(Array.from({ length: 15 }, () => guess('aaaaa-aaaaa')));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
      // Neither the correct code nor another credential of the user is accepted now.
      await waitingAnew(service);
      expect((await guess(codes[0] ?? '')).status).toBe(429);
      const login = await browser.post(`/t/${tenant}/login`, { ...fields, username: userName, password });
      expect(login.status).toBe(429);
    }
  });

  test('A recovery code is rejected from another browser or site, without the form, or with fields missing.', async () => {
    const { codes } = await withPasskeyOnly('forged');
    const { browser, page } = await atSignIn();
    const { i = '' } = hiddenFields(page);
    const form = await browser.get(`${recoverPath}?i=${i}`);
    const fields = { ...hiddenFields(form), username: 'forged', code: codes[0] ?? '' };
    expect((await service.browser().get(`${recoverPath}?i=${i}`)).status).toBe(403);
    expect((await service.browser().post(recoverPath, fields)).status).toBe(403);
    expect((await browser.post(recoverPath, { ...fields, csrf: 'x'.repeat(43) })).status).toBe(403);
    expect((await browser.post(recoverPath, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browser.post(recoverPath, { ...fields, code: '' })).status).toBe(400);
    expect((await browser.post(recoverPath, { ...fields, username: '' })).status).toBe(400);
    expect((await browser.post(recoverPath, `${new URLSearchParams(fields)}&code=x`)).status).toBe(400);
    expect((await browser.get(recoverPath)).status).toBe(400);
    expect((await browser.post(`/t/${rival}/login/recover`, fields)).status).toBe(400);
    expect((await browser.post(recoverPath, fields)).status).toBe(303);
  });
});

test('No recovery code and no link is in the log, in the keys of Redis, or in the database.', async () => {
  const { codes } = await withPasskeyOnly('quiet-one');
  const { answer } = await recover('quiet-one', codes[0] ?? '');
  const link = new URL(answer.location ?? '', 'http://x').searchParams.get('token') ?? '?';
  const { rows } = await service.deps.database.sql.query<{ text: string }>(
    `SELECT i::text AS text FROM auth.invitations i UNION ALL SELECT r::text FROM auth.recovery_codes r`,
  );
  const kept = service.logs.join('') + JSON.stringify(rows);
  for (const secret of [link, ...codes, ...codes.map((code) => code.replace('-', ''))]) {
    expect(kept).not.toContain(secret);
  }
});

test('Users who have a password still sign in with it, and the account page says nothing else.', async () => {
  await service.person('ordinary');
  const { page } = await setUpApp(service, service.browser(), 'ordinary');
  expect(page.text).not.toContain('You have no password');
  expect(new Browser(service.origin).cookies.size).toBe(0);
  expect((await openAccount(service.browser(), 'ordinary')).url).toContain('/login/verify');
});
