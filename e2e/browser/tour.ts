import { createHash } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import type { Demo, DemoTenant } from '../support/demo.ts';
import { describedApp } from './described-app.ts';
import { accept, invited, linkFor, password, setUpApp } from './newcomer.ts';

/** Returns the URL of an authorization request of the demo's public client. */
export function authorizeAddress(tenant: DemoTenant, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: tenant.clients.web.client_id,
    redirect_uri: 'http://127.0.0.1:53123/callback',
    scope: 'openid profile email groups offline_access',
    state: 'state',
    code_challenge: createHash('sha256').update('a verifier that nobody redeems').digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return `${tenant.issuer}/authorize?${query}`;
}

/** Fills in and submits the sign-in form. */
export async function fillSignIn(page: Page, userName: string, password: string): Promise<void> {
  await page.locator('#username').fill(userName);
  await page.locator('#password').fill(password);
  await page.locator('button[value=sign-in]').click();
}

/** Page of the tour. */
export interface Stop {
  name: string;
  /** The user of this stop is signed in. A browser with that session need not sign in again. */
  signedIn?: true;
  /** Leads a browser to the page. */
  open(context: BrowserContext): Promise<Page>;
}

const goTo = async (context: BrowserContext, address: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(address);
  return page;
};

const consent = async (context: BrowserContext, tenant: DemoTenant): Promise<Page> => {
  const page = await goTo(context, authorizeAddress(tenant, { prompt: 'login consent' }));
  await fillSignIn(page, tenant.users.alice.userName, tenant.users.alice.password);
  await page.waitForURL('**/consent?**');
  return page;
};

function signInStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  return [
    { name: 'sign-in', open: (context) => goTo(context, authorizeAddress(tenant)) },
    {
      name: 'sign-in-refused',
      async open(context) {
        const page = await goTo(context, authorizeAddress(tenant));
        await fillSignIn(page, `nobody-${Math.random().toString(36).slice(2, 8)}`, 'not the password');
        await page.getByRole('alert').waitFor();
        return page;
      },
    },
    { name: 'consent', open: (context) => consent(context, tenant) },
  ];
}

function describedAppStops(demo: Demo, logoUri?: string): Stop[] {
  const tenant = demo.tenants.demo;
  const { alice } = tenant.users;
  /** Authorization request of the described app. The server fetches its logo after the first page is shown. */
  let described: Promise<string> | undefined;
  const ofDescribedApp = async (context: BrowserContext): Promise<Page> => {
    described ??= describedApp(demo, logoUri);
    const address = authorizeAddress(tenant, {
      client_id: await described,
      scope: 'openid profile email address phone offline_access',
      prompt: 'login consent',
    });
    const page = await goTo(context, address);
    const logo = page.locator('img.app');
    for (let tries = 0; logoUri !== undefined && tries < 50 && (await logo.count()) === 0; tries += 1) {
      await page.waitForTimeout(100);
      await page.goto(address);
    }
    return page;
  };
  return [
    { name: 'app-sign-in', open: ofDescribedApp },
    {
      name: 'app-consent',
      async open(context) {
        const page = await ofDescribedApp(context);
        await fillSignIn(page, alice.userName, alice.password);
        await page.waitForURL('**/consent?**');
        return page;
      },
    },
  ];
}

/** Opens a page for Alice. Signs her in first unless the browser has a session. */
async function asAlice(context: BrowserContext, tenant: DemoTenant, address: string): Promise<Page> {
  const { alice } = tenant.users;
  const known = (await context.cookies()).some(({ name }) => name.startsWith('__Host-ostiary-'));
  if (known) return goTo(context, address);
  const page = await goTo(context, `${tenant.issuer}/account`);
  await fillSignIn(page, alice.userName, alice.password);
  await page.waitForURL('**/account');
  if (address !== page.url()) await page.goto(address);
  return page;
}

/** Pages of a browser with a current or an ended session. */
function sessionStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  return [
    {
      name: 'select-account',
      signedIn: true,
      open: (context) => asAlice(context, tenant, authorizeAddress(tenant, { prompt: 'select_account' })),
    },
    {
      name: 'sign-out',
      signedIn: true,
      open: (context) => asAlice(context, tenant, `${tenant.issuer}/logout`),
    },
    { name: 'signed-out', open: (context) => goTo(context, `${tenant.issuer}/signed-out`) },
    {
      name: 'error',
      open: (context) =>
        goTo(context, authorizeAddress(tenant, { redirect_uri: 'https://elsewhere.example/' })),
    },
  ];
}

/** Pages of the device authorization grant. */
function deviceStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  const { bob } = tenant.users;
  const userCode = async (): Promise<string> => {
    const response = await fetch(`${tenant.issuer}/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: tenant.clients.device.client_id, scope: 'openid profile' }),
    });
    return ((await response.json()) as { user_code: string }).user_code;
  };
  const device = async (context: BrowserContext): Promise<Page> => {
    const page = await goTo(context, `${tenant.issuer}/device?user_code=${await userCode()}`);
    await page.locator('main form button').first().click();
    await fillSignIn(page, bob.userName, bob.password);
    await page.waitForURL('**/consent?**');
    return page;
  };
  return [
    { name: 'device', open: (context) => goTo(context, `${tenant.issuer}/device`) },
    { name: 'device-consent', open: device },
  ];
}

/** Pages of the second factor. */
function secondStepStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  /** Creates a user with an authenticator app, at the page with the recovery codes. */
  const withApp = async (context: BrowserContext): Promise<{ page: Page; userName: string }> => {
    const { userName, link } = await invited(demo);
    const page = await context.newPage();
    await accept(page, link);
    await setUpApp(page, `${tenant.issuer}/account`);
    return { page, userName };
  };
  let known: Promise<string> | undefined;
  /** Signs the user in again with the password, up to the second step. */
  const secondStep = async (context: BrowserContext): Promise<Page> => {
    known ??= withApp(context).then(async ({ page, userName }) => {
      await context.clearCookies();
      await page.close();
      return userName;
    });
    const userName = await known;
    const page = await goTo(context, `${tenant.issuer}/account`);
    await fillSignIn(page, userName, password);
    await page.waitForURL('**/login/verify?**');
    return page;
  };
  return [
    { name: 'second-step', open: secondStep },
    {
      name: 'second-step-refused',
      async open(context) {
        const page = await secondStep(context);
        await page.locator('#code').fill('000000');
        await page.locator('button[value=continue]').click();
        await page.getByRole('alert').waitFor();
        return page;
      },
    },
    { name: 'recovery-codes', open: async (context) => (await withApp(context)).page },
    {
      name: 'recovery-codes-again',
      async open(context) {
        const { page } = await withApp(context);
        await page.goto(`${tenant.issuer}/account/recovery-codes`);
        return page;
      },
    },
  ];
}

/** Pages of the sign-in with a recovery code. */
function recoveryStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  const recover = async (context: BrowserContext): Promise<Page> => {
    const page = await goTo(context, authorizeAddress(tenant));
    await page.locator('a[href*="/login/recover"]').click();
    await page.waitForURL('**/login/recover?**');
    return page;
  };
  return [
    { name: 'recover', open: recover },
    {
      name: 'recover-refused',
      async open(context) {
        const page = await recover(context);
        await page.locator('#username').fill(`nobody-${Math.random().toString(36).slice(2, 8)}`);
        await page.locator('#code').fill('aaaaa-aaaaa');
        await page.locator('main form button').click();
        await page.getByRole('alert').waitFor();
        return page;
      },
    },
  ];
}

/** Pages of invitations. */
function invitationStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  return [
    { name: 'invitation', open: async (context) => goTo(context, (await invited(demo)).link) },
    {
      name: 'invitation-refused',
      async open(context) {
        const page = await goTo(context, (await invited(demo)).link);
        await page.locator('#password').fill('short');
        await page.locator('#repeated').fill('short');
        await page.locator('main form:not(.passkey) button').click();
        await page.getByRole('alert').waitFor();
        return page;
      },
    },
    {
      name: 'invitation-closed',
      open: (context) => goTo(context, `${tenant.issuer}/invitation?token=${'A'.repeat(43)}`),
    },
    {
      name: 'access-reset',
      open: async (context) =>
        goTo(context, await linkFor(demo, 'resetUserAccess', (await invited(demo)).id)),
    },
  ];
}

function accountStops(demo: Demo): Stop[] {
  const tenant = demo.tenants.demo;
  return ['', 'password', 'totp', 'passkeys', 'tokens'].map((part) => ({
    name: ['account', part].filter(Boolean).join('-'),
    signedIn: true,
    open: (context) => asAlice(context, tenant, [`${tenant.issuer}/account`, part].filter(Boolean).join('/')),
  }));
}

/** Every page that a user can reach, with the steps to it. No stop changes the state that another one needs. */
export const tour = (demo: Demo, logoUri?: string): Stop[] => [
  ...signInStops(demo),
  ...describedAppStops(demo, logoUri),
  ...sessionStops(demo),
  ...deviceStops(demo),
  ...secondStepStops(demo),
  ...recoveryStops(demo),
  ...invitationStops(demo),
  ...accountStops(demo),
];
