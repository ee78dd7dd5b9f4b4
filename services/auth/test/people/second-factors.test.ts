import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../src/domain/ports.ts';
import { Authenticator, passkeyOptions } from './authenticator.ts';
import type { Answer, Browser } from './browser.ts';
import {
  accountPath,
  addPasskey,
  appCode,
  laterStep,
  moved,
  openAccount,
  setUpApp,
  startTwin,
} from './second-step.ts';
import {
  authorizeUrl,
  eventually,
  password,
  redeem,
  rival,
  signIn,
  startTestService,
  type TestService,
  tenant,
} from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = await service.client({ require_consent: false });
});
afterAll(() => service.stop());

const claimsOf = async (location: string | undefined): Promise<Record<string, unknown>> => {
  const { body } = await redeem(service, client, new URL(location ?? ''));
  return JSON.parse(Buffer.from(body.id_token?.split('.')[1] ?? '', 'base64url').toString());
};

/** Up to the second step, with the right password. */
async function atSecondStep(userName: string): Promise<{ browser: Browser; page: Answer }> {
  const browser = service.browser();
  const page = await signIn(browser, client, userName);
  expect([page.status, page.url.split('?')[0]]).toEqual([200, `/t/${tenant}/login/verify`]);
  return { browser, page };
}

async function withApp(userName: string) {
  const person = await service.person(userName);
  return { person, ...(await setUpApp(service, service.browser(), userName)) };
}

const silent = async (browser: Browser): Promise<string | null> =>
  new URL((await browser.get(authorizeUrl(client, { prompt: 'none' }))).location ?? '').searchParams.get(
    'error',
  );

describe('an authenticator app', () => {
  test('is set up with a code, gives ten recovery codes, and is asked for at the next sign-in', async () => {
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

  test('a password alone is one factor', async () => {
    await service.person('app-plain');
    const done = await signIn(service.browser(), client, 'app-plain');
    expect(await claimsOf(done.location)).toMatchObject({ amr: ['pwd'], acr: 'urn:ostiary:acr:1fa' });
  });

  test('a wrong code adds nothing, and the same secret is offered again', async () => {
    await service.person('app-wrong');
    const browser = service.browser();
    const offer = await openAccount(browser, 'app-wrong', '/totp');
    const answer = await browser.submit(offer, { code: '000000' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('This code is not right');
    const secret = (page: Answer) => /<code class="typed">([^<]+)/.exec(page.text)?.[1];
    expect(secret(answer)).toBe(secret(offer));
    expect((await browser.get(accountPath)).text).toContain('Set up');
  });

  test('an offer made for somebody else, or changed, sets nothing up', async () => {
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

  test('the secret and the recovery codes are not in the database or the log', async () => {
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

  test('one code in parallel sign-ins across two processes counts once', async () => {
    const { secret } = await withApp('app-race');
    const twin = await startTwin(service);
    try {
      const waiting: { browser: Browser; page: Answer }[] = [];
      for (let n = 0; n < 4; n += 1) waiting.push(await atSecondStep('app-race'));
      const code = appCode(secret);
      // Five are free; the limit must not be what decides here.
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

  test('the same form sent twice leads to the same place', async () => {
    const { secret } = await withApp('app-twice');
    const { browser, page } = await atSecondStep('app-twice');
    const fields = { code: appCode(secret), action: 'continue' };
    const [first, second] = await Promise.all([browser.submit(page, fields), browser.submit(page, fields)]);
    expect(first.location).toMatch(/\?code=/);
    expect(second.location).toBe(first.location);
  });

  test('guesses are counted per person, in parallel and over many browsers', async () => {
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
    expect((await browser.submit(page, { code: appCode(secret), action: 'continue' })).status).toBe(429);
  });

  test('malformed codes are refused, never a 500', async () => {
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
  test('signs in once, and is not the code of anybody else', async () => {
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

  test('fifty parallel uses of one are one', async () => {
    const { person, codes } = await withApp('rec-race');
    const { secondFactors, attempts } = service.deps;
    const results = await Promise.all(
      Array.from({ length: 50 }, async () => {
        // What is proved here is the code's single use, not the limit before it.
        await attempts.succeed(`factor:${tenant}:${person.id}`, 'all');
        return secondFactors.check(tenant, person.id, codes[1] ?? '');
      }),
    );
    expect(results.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
  });

  test('new ones make the old ones worthless; both are shown only to this browser', async () => {
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

describe('a passkey', () => {
  test('is added, and then signs in alone, as two factors that resist phishing', async () => {
    await service.person('key-anna');
    const authenticator = new Authenticator();
    const codes = await addPasskey(service.browser(), 'key-anna', authenticator);
    expect(codes.text).toContain('Your recovery codes');
    const browser = service.browser();
    const login = await browser.follow(await browser.get(authorizeUrl(client)));
    const credential = authenticator.get(passkeyOptions(login));
    const done = await browser.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
    expect(await claimsOf(done.location)).toMatchObject({ amr: ['hwk', 'user', 'mfa'], acr: 'phr' });
  });

  test('is the second factor after a password', async () => {
    await service.person('key-second');
    const authenticator = new Authenticator();
    await addPasskey(service.browser(), 'key-second', authenticator);
    authenticator.userVerified = false;
    const { browser, page } = await atSecondStep('key-second');
    const done = await browser.submit(page, { credential: authenticator.get(passkeyOptions(page)) });
    expect(await claimsOf(done.location)).toMatchObject({ amr: ['pwd', 'hwk', 'user', 'mfa'], acr: 'phr' });
  });

  describe('is refused', () => {
    let authenticator: Authenticator;
    beforeAll(async () => {
      await service.person('key-bad');
      authenticator = new Authenticator();
      await addPasskey(service.browser(), 'key-bad', authenticator);
    });

    async function tried(
      answer: (login: Answer) => string,
      o: { origin?: string; userVerified?: boolean } = {},
    ): Promise<number> {
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(client)));
      Object.assign(authenticator, o);
      const credential = answer(login);
      Object.assign(authenticator, { origin: 'http://localhost:4000', userVerified: true });
      const { status } = await browser.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
      expect(await silent(browser)).toBe('login_required');
      return status;
    }
    const honest = (login: Answer): string => authenticator.get(passkeyOptions(login));

    test('from another origin', async () => {
      expect(await tried(honest, { origin: 'https://evil.example' })).toBe(401);
    });

    test('alone, when the authenticator did not verify the person', async () => {
      expect(await tried(honest, { userVerified: false })).toBe(401);
    });

    test('with the challenge of another page', async () => {
      const other = service.browser();
      const theirs = await other.follow(await other.get(authorizeUrl(client)));
      expect(await tried(() => honest(theirs))).toBe(401);
    });

    test('with a challenge of our own making', async () => {
      expect(await tried(() => authenticator.get({ challenge: 'AAAA', rpId: 'localhost' }))).toBe(401);
    });

    test('with another key', async () => {
      const forged = new Authenticator();
      Object.assign(forged, { id: authenticator.id });
      expect(await tried((login) => forged.get(passkeyOptions(login)))).toBe(401);
    });

    test('when it was never registered', async () => {
      expect(await tried((login) => new Authenticator().get(passkeyOptions(login)))).toBe(401);
    });

    test('as nonsense', async () => {
      for (const text of ['', 'null', '[]', '{}', '{"id":"__proto__","response":{}}', '{'.repeat(20_000)]) {
        expect(await tried(() => text)).toBe(401);
      }
    });

    test('when its counter went back: somebody has a copy', async () => {
      authenticator.counter = 9;
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(client)));
      const first = await browser.post(`/t/${tenant}/login/passkey`, {
        ...fieldsOf(login),
        credential: honest(login),
      });
      expect(first.location).toMatch(/\?code=/);
      authenticator.counter = 8;
      expect(await tried(honest)).toBe(401);
      authenticator.counter = 20;
    });

    test("at the rival tenant, and its holder's second step is not another's", async () => {
      const theirs = await service.client({}, rival);
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(theirs)));
      const answer = await browser.post(`/t/${rival}/login/passkey`, {
        ...fieldsOf(login),
        credential: honest(login),
      });
      expect(answer.status).toBe(401);

      await service.person('key-victim');
      await addPasskey(service.browser(), 'key-victim', new Authenticator());
      const step = await atSecondStep('key-victim');
      const stolen = await step.browser.submit(step.page, { credential: honest(step.page) });
      expect(stolen.status).toBe(401);
    });
  });

  test('one answer in ten parallel forms across two processes counts once', async () => {
    await service.person('key-race');
    const authenticator = new Authenticator();
    await addPasskey(service.browser(), 'key-race', authenticator);
    const twin = await startTwin(service);
    try {
      const asking = await service.client();
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(asking)));
      const credential = authenticator.get(passkeyOptions(login));
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 === 0 ? browser.clone() : moved(browser, twin.origin)).post(`/t/${tenant}/login/passkey`, {
            ...fieldsOf(login),
            credential,
          }),
        ),
      );
      expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1);
    } finally {
      await twin.stop();
    }
  });

  test('cannot be registered twice, nor by the answer of another page', async () => {
    await service.person('key-twice');
    const browser = service.browser();
    const authenticator = new Authenticator();
    const page = await openAccount(browser, 'key-twice', '/passkeys');
    const credential = authenticator.create(passkeyOptions(page));
    await browser.submit(page, { credential, name: 'one' });
    expect((await browser.submit(page, { credential, name: 'two' })).status).toBe(400);
    await service.person('key-other');
    const theirs = await openAccount(service.browser(), 'key-other', '/passkeys');
    const foreign = new Authenticator().create(passkeyOptions(theirs));
    expect((await browser.submit(page, { credential: foreign, name: 'x' })).status).toBe(400);
  });
});

describe('a pending second step ends', () => {
  async function endedBy(userName: string, what: (id: string) => Promise<unknown>): Promise<void> {
    const { person, secret, codes } = await withApp(userName);
    const { browser, page } = await atSecondStep(userName);
    await what(person.id);
    for (const code of [appCode(secret), codes[0] ?? '']) {
      const answer = await browser.submit(page, { code, action: 'continue' });
      expect(answer.location ?? '').not.toContain('code=');
      expect(answer.headers.getSetCookie().join()).not.toContain(`__Host-ostiary-${tenant}=`);
    }
    expect(await silent(browser)).toBe('login_required');
  }

  test('with the departure of its person, and does not come alive when they return', async () => {
    await endedBy('gone-anna', async (id) => {
      await service.directory.change(tenant, id, 'user.deactivated');
      await eventually(async () => (await service.deps.subjects.find(tenant, id))?.active === false);
      await service.directory.change(tenant, id, 'user.reactivated');
      await eventually(async () => (await service.deps.subjects.find(tenant, id))?.active === true);
    });
  });

  test('with a new password', async () => {
    await endedBy('gone-password', async (subject) => {
      const staged = await service.internal('POST', `/tenants/${tenant}/credentials`, {
        subject,
        password: 'another password altogether',
      });
      await service.internal('POST', `/tenants/${tenant}/credentials/${staged.body.ticket}/activate`);
    });
  });

  test('when everything of the person is revoked', async () => {
    await endedBy('gone-everywhere', (id) => service.deps.subjects.signOutEverywhere(tenant, id));
  });
});

test('a deactivated person signs in neither with a passkey nor with app or recovery code; a deleted one leaves none', async () => {
  const { person } = await withApp('left-anna');
  const authenticator = new Authenticator();
  const { sql } = service.deps.database;
  const browser = service.browser();
  const step = await openAccount(browser, 'left-anna', '/passkeys');
  expect(step.text).toContain('Second step');
  await laterStep(service);
  await sql.query('DELETE FROM auth.totp_factors WHERE subject_id = $1', [person.id]);
  const fresh = service.browser();
  await addPasskey(fresh, 'left-anna', authenticator);
  await service.directory.change(tenant, person.id, 'user.deactivated');
  await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === false);
  const visitor = service.browser();
  const login = await visitor.follow(await visitor.get(authorizeUrl(client)));
  const credential = authenticator.get(passkeyOptions(login));
  const refused = await visitor.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
  expect(refused.status).toBe(401);
  expect((await signIn(service.browser(), client, 'left-anna')).status).toBe(401);

  await service.directory.change(tenant, person.id, 'user.deleted');
  await eventually(async () => {
    const { rows } = await sql.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM auth.passkeys WHERE subject_id = $1)::int
            + (SELECT count(*) FROM auth.recovery_codes WHERE subject_id = $1)::int AS left`,
      [person.id],
    );
    return rows[0]?.left === 0;
  });
});

test('a session from before the second factor cannot take it away', async () => {
  await service.person('old-session');
  const old = service.browser();
  const account = await openAccount(old, 'old-session');
  await setUpApp(service, service.browser(), 'old-session');
  const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? '';
  const removed = await old.post(`${accountPath}/totp/remove`, { csrf });
  expect(removed.location).toMatch(/\/login\?i=/);
  const login = await signIn(service.browser(), client, 'old-session', { password });
  expect(login.text).toContain('Second step');
});

/** The hidden fields of the passkey form. */
function fieldsOf(page: Answer): Record<string, string> {
  const form = /<form[^>]*data-passkey[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? '';
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(i|csrf)" value="([^"]*)">/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );
}
