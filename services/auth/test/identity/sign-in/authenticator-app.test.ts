import { describe, expect, test } from '@jest/globals';
import { waitingAnew } from '../../support/sign-in/attempts.ts';
import type { Answer, Browser } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { accountPath, appCode, moved, openAccount, startTwin } from '../../support/sign-in/second-step.ts';
import { signIn, tenant } from '../../support/sign-in/service.ts';
import { atSecondStep, claimsOf, silent, withApp } from '../../support/sign-in/with-second-factor.ts';

setUpOneClient();

describe('an authenticator app', () => {
  test('An authenticator app is set up with a code, gives ten recovery codes, and is required at the next sign-in.', async () => {
    const { secret, codes } = await withApp('app-alice');
    expect(new Set(codes).size).toBe(10);
    const { browser, page } = await atSecondStep('app-alice');
    expect(await silent(browser)).toBe('login_required');
    const done = await browser.submit(page, { code: appCode(secret), action: 'continue' });
    expect(await claimsOf(done.location)).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
      acr: 'urn:ostiary:acr:2fa',
    });
  });

  test('A password alone counts as one factor.', async () => {
    await service.person('app-plain');
    const done = await signIn(service.browser(), client, 'app-plain');
    expect(await claimsOf(done.location)).toMatchObject({ amr: ['pwd'], acr: 'urn:ostiary:acr:1fa' });
  });

  test('A wrong code adds no authenticator app, and the same secret is offered again.', async () => {
    await service.person('app-wrong');
    const browser = service.browser();
    const offer = await openAccount(browser, 'app-wrong', '/totp');
    const answer = await browser.submit(offer, { code: '000000' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Code is incorrect');
    const secret = (page: Answer) => /<code class="typed">([^<]+)/.exec(page.text)?.[1];
    expect(secret(answer)).toBe(secret(offer));
    expect((await browser.get(accountPath)).text).toContain('Set up');
  });

  test('An offer that was made for another user, or was changed, sets up no authenticator app.', async () => {
    await service.person('app-offer');
    await service.person('app-thief');
    const offered = await openAccount(service.browser(), 'app-offer', '/totp');
    const thief = service.browser();
    const own = await openAccount(thief, 'app-thief', '/totp');
    const foreign = /name="offer" value="([^"]+)"/.exec(offered.text)?.[1] ?? '';
    const secret = /<code class="typed">([^<]+)/.exec(offered.text)?.[1]?.replaceAll(' ', '') ?? '';
    for (const offer of [foreign, 'AAAA', '']) {
      const answer = await thief.submit(own, { offer, code: appCode(secret) });
      expect([answer.status, answer.location]).toEqual([303, accountPath]);
    }
    expect((await thief.get(accountPath)).text).toContain('Set up');
  });

  test('Neither the database nor the log contains the secret or the recovery codes in plain text.', async () => {
    const { secret, codes } = await withApp('app-secret');
    const { sql } = service.deps.database;
    const stored = JSON.stringify([
      (await sql.query('SELECT encode(secret, $1) AS s FROM auth.totp_factors', ['escape'])).rows,
      (await sql.query('SELECT encode(digest, $1) AS s FROM auth.recovery_codes', ['escape'])).rows,
    ]);
    const keys = await service.deps.redis.keys(`${service.deps.env.REDIS_PREFIX}:auth:kept:*`);
    const kept = (await Promise.all(keys.map((key) => service.deps.redis.get(key)))).join();
    for (const value of [secret, ...codes]) {
      expect(stored + kept + service.logs.join('')).not.toContain(value);
    }
  });

  test('One code that is used in parallel sign-ins across two processes counts once.', async () => {
    const { secret } = await withApp('app-race');
    const twin = await startTwin(service);
    try {
      const waiting: { browser: Browser; page: Answer }[] = [];
      for (let n = 0; n < 4; n += 1) waiting.push(await atSecondStep('app-race'));
      const code = appCode(secret);
      // Five attempts are not delayed, so the limit does not decide here.
      const answers = await Promise.all(
        waiting.map(({ browser, page }, n) =>
          (n % 2 === 0 ? browser : moved(browser, twin.origin)).submit(page, { code, action: 'continue' }),
        ),
      );
      expect(answers.filter((answer) => answer.location?.includes('code='))).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 401)).toHaveLength(3);
    } finally {
      await twin.stop();
    }
  });

  test('The same form that is sent twice leads to the same page.', async () => {
    const { secret } = await withApp('app-twice');
    const { browser, page } = await atSecondStep('app-twice');
    const fields = { code: appCode(secret), action: 'continue' };
    const [first, second] = await Promise.all([browser.submit(page, fields), browser.submit(page, fields)]);
    expect(first.location).toMatch(/\?code=/);
    expect(second.location).toBe(first.location);
  });

  test('Guesses of codes are counted for each user, in parallel and over many browsers.', async () => {
    const { secret } = await withApp('app-guess');
    const waiting: { browser: Browser; page: Answer }[] = [];
    for (let n = 0; n < 12; n += 1) waiting.push(await atSecondStep('app-guess'));
    const answers = await Promise.all(
      waiting.map(({ browser, page }) => browser.submit(page, { code: '123456', action: 'continue' })),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
    const { browser, page } = await atSecondStep('app-guess');
    await waitingAnew(service);
    expect((await browser.submit(page, { code: appCode(secret), action: 'continue' })).status).toBe(429);
  });

  test('Malformed codes are rejected and never cause a 500.', async () => {
    await withApp('app-odd');
    const { browser, page } = await atSecondStep('app-odd');
    for (const code of ['', '12345', '１２３４５６', 'x'.repeat(60_000)]) {
      const { status } = await browser.submit(page, { code, action: 'continue' });
      expect([code.slice(0, 9), [400, 401, 429].includes(status)]).toEqual([code.slice(0, 9), true]);
    }
    expect((await browser.submit(page, { credential: '{"id":1}' })).status).toBe(401);
  });
});

describe('a recovery code', () => {
  test('A recovery code signs in once, and is not a code of any other user.', async () => {
    const { codes } = await withApp('rec-anna');
    await withApp('rec-bert');
    const [code = ''] = codes;
    const other = await atSecondStep('rec-bert');
    expect((await other.browser.submit(other.page, { code, action: 'continue' })).status).toBe(401);
    const { browser, page } = await atSecondStep('rec-anna');
    const typed = ` ${code.toUpperCase().replace('-', ' ')} `;
    expect((await browser.submit(page, { code: typed, action: 'continue' })).location).toMatch(/\?code=/);
    const again = await atSecondStep('rec-anna');
    expect((await again.browser.submit(again.page, { code, action: 'continue' })).status).toBe(401);
  });

  test('Fifty parallel uses of one recovery code count as one use.', async () => {
    const { person, codes } = await withApp('rec-race');
    const { secondFactors, attempts } = service.deps;
    const results = await Promise.all(
      Array.from({ length: 50 }, async () => {
        // Resets the limit, so that only the code's single use is tested.
        await attempts.succeed(`factor:${tenant}:${person.id}`, 'all');
        return secondFactors.check(tenant, person.id, codes[1] ?? '');
      }),
    );
    expect(results.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
  });

  test('New recovery codes invalidate the old ones, and both are shown only to this browser.', async () => {
    const { codes } = await withApp('rec-new');
    const browser = service.browser();
    const login = await openAccount(browser, 'rec-new', '/recovery-codes');
    const make = await browser.follow(
      await browser.submit(login, { code: codes[0] ?? '', action: 'continue' }),
    );
    const posted = await browser.submit(make, {});
    expect(posted.status).toBe(303);
    const page = await browser.follow(posted);
    const shown = [...page.text.matchAll(/<li><code>([^<]+)/g)].map((match) => match[1] ?? '');
    expect(shown).toHaveLength(10);
    const stranger = service.browser();
    await service.person('rec-stranger');
    await openAccount(stranger, 'rec-stranger');
    const peek = await stranger.get(posted.location ?? '');
    for (const code of shown) expect(peek.text).not.toContain(code);
    const old = await atSecondStep('rec-new');
    expect((await old.browser.submit(old.page, { code: codes[1] ?? '' })).status).toBe(401);
    expect((await old.browser.submit(old.page, { code: shown[0] ?? '' })).location).toMatch(/\?code=/);
  });
});
