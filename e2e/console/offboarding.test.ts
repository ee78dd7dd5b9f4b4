import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { knowingUser } from '../support/knowing-user.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn as signInToApp } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('offboarding in the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** Creates a user who is signed in to an app. */
  async function signedInUser() {
    if (demo === undefined) throw new Error(why);
    const tenant = demo.tenants.demo;
    const user = { userName: unique('leaver'), password: 'eleven quiet lanterns at the door' };
    const { id } = await new ScimClient(tenant, tenant.clients.scim.token).createUser({
      ...user,
      displayName: user.userName,
    });
    const { tokens } = await signInToApp(demo, tenant, user);
    const userinfo = async () =>
      (
        await fetch(`${tenant.issuer}/userinfo`, {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        })
      ).status;
    return { demo, id, user, userinfo };
  }

  test('An administrator finds a user by typing, offboards them, sees the revoked access, and downloads the report.', async () => {
    const { demo: here, id, user, userinfo } = await signedInUser();
    expect(await userinfo()).toBe(200);
    const { page, context, complaints } = await openConsole(browser, here, { path: 'users' });
    await page.getByRole('searchbox').first().fill(user.userName.slice(0, -1));
    // The user's row moves when the filtered list replaces the whole one: a click in between would miss it.
    const found = page.locator('[role=grid][aria-rowcount="2"]');
    await found.getByRole('rowheader', { name: user.userName }).click();
    await page.waitForURL(`**/users/${id}**`);
    await page.getByRole('button', { name: 'Offboard now' }).click();
    const dialog = page.getByRole('alertdialog');
    // The dialog lists the access before it is revoked.
    await dialog.getByText('1 session').waitFor();
    expect(await userinfo()).toBe(200);
    await dialog.getByRole('button', { name: 'Revoke all access' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByText(/\d+ ms/)
      .first()
      .waitFor();
    expect(await userinfo()).toBe(401);
    expect(await downloadedReport(page)).toMatchObject({ departure: { userId: id, secrets: [] } });
    expect(complaints).toEqual([]);
    await context.close();
  });

  /** Downloads the report that the page shows. */
  async function downloadedReport(page: Page): Promise<unknown> {
    const button = page.getByRole('button', { name: /Download/ }).first();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString());
  }

  test('The report shows, prints and downloads the secrets that the user knew, with the owner to notify.', async () => {
    if (demo === undefined) throw new Error(why);
    const { id, client, owner } = await knowingUser(demo, demo.tenants.demo);
    const { page, context, complaints } = await openConsole(browser, demo, { path: `users/${id}` });
    await page.getByRole('button', { name: 'Offboard now' }).click();
    const dialog = page.getByRole('alertdialog');
    // The app of another owner stops working, so the dialog names its secret before anything is revoked.
    await dialog
      .getByRole('listitem')
      .filter({ hasText: `Secret of a client: ${client.name}` })
      .waitFor();
    await dialog.getByText('This secret, which the user knows, is revoked too:').waitFor();
    await dialog.getByRole('button', { name: 'Revoke all access' }).click();
    const report = page.getByRole('article', { name: /^Offboarding of / });
    await report.getByRole('heading', { name: 'Secrets the user knew' }).waitFor();
    const row = report.getByRole('listitem').filter({ hasText: client.name });
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media });
      await row.getByText('Secret of a client', { exact: true }).waitFor();
      await row.getByText('revoked immediately').waitFor();
      await row.getByText('Notify:').waitFor();
      await row.getByRole('link', { name: owner.userName }).waitFor();
    }
    await page.emulateMedia({ media: 'screen' });
    expect(await downloadedReport(page)).toMatchObject({
      departure: {
        userId: id,
        secrets: [
          {
            kind: 'CLIENT_SECRET',
            name: client.name,
            credentialId: client.id,
            ended: true,
            endsAt: null,
            owner: { type: 'User', ...owner },
          },
        ],
      },
    });
    await row.getByRole('link', { name: client.name }).click();
    await page.waitForURL(`**/applications/${client.id}**`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each([
    ['en', 'Secrets the user knew', 'valid until Mar 4, 2031', 'owned by this user'],
    ['de', 'Dem Benutzer bekannte Geheimnisse', 'gültig bis 04.03.2031', 'Eigentum dieses Benutzers'],
    ['es', 'Secretos que conocía el usuario', 'válido hasta el 4 mar 2031', 'propiedad de este usuario'],
    ['fr', 'Secrets connus de l’utilisateur', 'valable jusqu’au 4 mars 2031', 'détenu par cet utilisateur'],
  ])('In the language %s, the report shows until when a secret stays valid.', async (language, ...texts) => {
    const { demo: here, id } = await signedInUser();
    const tenant = here.tenants.demo;
    await new ScimClient(tenant, tenant.clients.scim.token).patch(`/Users/${id}`, [
      { op: 'replace', path: 'active', value: false },
    ]);
    const { page, context, complaints } = await openConsole(browser, here, { context: { language } });
    const owner = { __typename: 'User', id, userName: 'leaver', displayName: null, active: false };
    const secret = {
      __typename: 'ReportedSecret',
      kind: 'CLIENT_SECRET',
      secretId: 'secret',
      credentialId: 'client',
      name: 'Payroll',
      ended: false,
      endsAt: '2031-03-04T12:00:00.000Z',
      owner,
    };
    await page.route('**/graphql', async (route, request) => {
      if (request.headers().accept?.includes('text/event-stream')) return route.fallback();
      const response = await route.fetch();
      const body = await response.json();
      for (const departure of body.data?.departures ?? []) departure.secrets = [secret];
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${here.origin}/console/t/demo/users/${id}?tab=departures`);
    for (const text of texts) await page.getByText(text).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A list that another administrator has open shows an offboarding without a reload.', async () => {
    const { demo: here, user, id } = await signedInUser();
    const { page, context } = await openConsole(browser, here, { path: `users?q=${user.userName}` });
    const row = page.getByRole('row', { name: user.userName });
    await row.getByText('active', { exact: true }).waitFor();
    await page.getByText('live', { exact: true }).first().waitFor();
    const tenant = here.tenants.demo;
    await new ScimClient(tenant, tenant.clients.scim.token).patch(`/Users/${id}`, [
      { op: 'replace', path: 'active', value: false },
    ]);
    await row.getByText('inactive', { exact: true }).waitFor();
    await context.close();
  });
});
