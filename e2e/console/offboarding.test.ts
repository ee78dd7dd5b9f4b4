import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn as signInToApp } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
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
    await page.getByRole('rowheader', { name: user.userName }).click();
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
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /Download/ })
        .first()
        .click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ departure: { userId: id } });
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
