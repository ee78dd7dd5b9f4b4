import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ProtectedApi } from '../verifier/registered.ts';
import { GuardProcess } from './guard-process.ts';
import { AppBrowser, browse, WebApp } from './web-app.ts';

/** Lifetime of an access token. */
const tokenSeconds = 30;
const key = randomBytes(32).toString('base64url');
let own: OwnSystem;
let app: WebApp;
let guard: GuardProcess;

beforeAll(async () => {
  own = await ownSystem({
    of: { auth: { ...deliversHere, ACCESS_TOKEN_TTL_SECONDS: String(tokenSeconds) } },
  });
  const port = await freePort();
  // The app has the address of the guard, so that the browser reaches its pages without a proxy.
  const origin = `http://127.0.0.1:${port}`;
  app = await new WebApp(own.demo, own.demo.tenants.demo, origin).register({
    backchannelLogoutUri: `${origin}/.ostiary/backchannel-logout`,
  });
  guard = await app.guarded({ port, key });
});

afterAll(async () => {
  await guard?.stop();
  await own?.stop();
});

async function signedIn() {
  const user = await app.hire();
  const browser = new AppBrowser(own.demo, app);
  await browser.signIn(guard, user);
  return { user, browser };
}

async function signOut({ issuer }: AppBrowser): Promise<void> {
  const page = await issuer.open(`${app.tenant.issuer}/logout`);
  await issuer.submit(page, {}, /sign out/i);
}

/** Resolves when access tokens that were issued before the call have expired. */
async function tokensExpired(): Promise<void> {
  const api = await new ProtectedApi(own.demo, app.tenant).register();
  const token = await api.clientToken();
  const rules = { hosts: [{ host: 'api.example', audience: api.audience, rules: [{ path: '/**' }] }] };
  const other = await GuardProcess.start(api, { rules });
  try {
    await eventually(async () => (await other.readiness()) === 200);
    const ask = () =>
      fetch(`http://127.0.0.1:${other.port}/verify`, {
        headers: {
          'x-forwarded-method': 'GET',
          'x-forwarded-host': 'api.example',
          'x-forwarded-uri': '/',
          authorization: `Bearer ${token}`,
        },
      });
    await eventually(async () => (await ask()).status === 401);
  } finally {
    await other.stop();
  }
}

describe('a user of a web app', () => {
  test('A user signs in at the app, and the offboarding by SCIM ends the session, and no other one.', async () => {
    const [leaver, colleague] = [await signedIn(), await signedIn()];
    const { status, headers } = await leaver.browser.load(guard);
    expect([status, headers['x-ostiary-subject'], headers['x-ostiary-kind']]).toEqual([
      200,
      leaver.user.id,
      'user',
    ]);
    await app.offboard(leaver.user.id);
    await eventually(async () => (await leaver.browser.status(guard)) === 302);
    expect(await colleague.browser.status(guard)).toBe(200);
  });

  test('A session outlives its access token, and an offboarding or a sign-out at the issuer ends it afterwards, also at a new guard.', async () => {
    const [leaver, quitter, colleague] = [await signedIn(), await signedIn(), await signedIn()];
    await tokensExpired();
    const statuses = (at: GuardProcess) =>
      Promise.all([leaver, quitter, colleague].map(({ browser }) => browser.status(at)));
    expect(await statuses(guard)).toEqual([200, 200, 200]);
    await app.offboard(leaver.user.id);
    await signOut(quitter.browser);
    await eventually(
      () => statuses(guard),
      (found) => found.join() === '302,302,200',
    );
    const other = await app.guarded({ key });
    try {
      expect(await statuses(other)).toEqual([302, 302, 200]);
    } finally {
      await other.stop();
    }
  });

  test('A sign-out at the issuer ends the session, and the guard accepts the logout token.', async () => {
    const { browser } = await signedIn();
    await signOut(browser);
    await eventually(async () => (await browser.status(guard)) === 302);
    await eventually(() => guard.output.includes('/.ostiary/backchannel-logout'));
    expect(guard.output).not.toContain('guard.logout_token_rejected');
  });

  test('A sign-out at the app ends the session at the issuer without a question, and copies of the cookie.', async () => {
    const { browser } = await signedIn();
    const { cookie } = browser;
    const { status, location } = await browser.open(guard, `${app.origin}/.ostiary/sign-out`);
    expect([status, browser.cookies.size]).toEqual([303, 0]);
    const page = await browser.issuer.open(location);
    expect(page.url.href).toBe(`${app.origin}/goodbye`);
    await eventually(async () => (await browser.load(guard, '/orders', { cookie })).status === 302);
  });

  test('The loss of a role ends the session, and the next sign-in succeeds.', async () => {
    const user = await app.hire();
    const browser = new AppBrowser(own.demo, app);
    const change = (name: 'assignRole' | 'removeRole') =>
      app.administer(`mutation ($input: RoleInput!) { ${name}(input: $input) { problems { message } } }`, {
        input: { userId: user.id, role: 'AUDITOR' },
      });
    await change('assignRole');
    await browser.signIn(guard, user);
    expect(await browser.status(guard)).toBe(200);
    await change('removeRole');
    await eventually(async () => (await browser.status(guard)) === 302);
  });
});

describe('attacks', () => {
  test('The guard of another tenant with the same key and host rejects the session, and a code of its issuer is rejected here.', async () => {
    const { browser, user } = await signedIn();
    const theirs = await new WebApp(own.demo, own.demo.tenants.rival, app.origin).register();
    const rival = await theirs.guarded({ key });
    try {
      expect([await browser.status(guard), await browser.status(rival)]).toEqual([200, 302]);
      // The rival's user has a code for the same callback, in a browser that began a sign-in here.
      const attacker = new AppBrowser(own.demo, theirs);
      const foreign = await new AppBrowser(own.demo, theirs).toCallback(rival, await theirs.hire());
      const begun = await attacker.load(guard);
      const { location } = await attacker.open(guard, begun.headers.location ?? '');
      foreign.searchParams.set('state', new URL(location).searchParams.get('state') ?? '');
      expect((await attacker.open(guard, foreign)).status).toBe(403);
      expect([...attacker.cookies.keys()]).not.toContain('__Host-ostiary-session');
      // Users of one tenant do not exist in the other one.
      await expect(new AppBrowser(own.demo, theirs).signIn(rival, user)).rejects.toThrow();
    } finally {
      await rival.stop();
    }
  });

  test('A code is redeemed once by parallel callbacks, and its repetition ends the session.', async () => {
    const user = await app.hire();
    const browser = new AppBrowser(own.demo, app);
    const callback = await browser.toCallback(guard, user);
    const { cookie } = browser;
    const answers = await Promise.all(Array.from({ length: 8 }, () => browse(callback, { cookie })));
    const redeemed = answers.filter(({ status }) => status === 303);
    expect(redeemed.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(7);
    for (const { headers } of redeemed) {
      const session = headers['set-cookie']?.at(-1)?.split(';', 1)[0] ?? '';
      await eventually(
        async () => (await browser.load(guard, '/orders', { cookie: session })).status === 302,
      );
    }
  });

  test('A disabled client ends the sessions of its guard.', async () => {
    const port = await freePort();
    const other = await new WebApp(own.demo, own.demo.tenants.demo, `http://127.0.0.1:${port}`).register();
    const theirs = await other.guarded({ port });
    try {
      const browser = new AppBrowser(own.demo, other);
      await browser.signIn(theirs, await other.hire());
      expect(await browser.status(theirs)).toBe(200);
      await other.administer(
        'mutation ($input: ClientInput!) { disableClient(input: $input) { problems { message } } }',
        { input: { id: other.options.clientId } },
      );
      await eventually(async () => (await browser.status(theirs)) !== 200);
    } finally {
      await theirs.stop();
    }
  });
});
