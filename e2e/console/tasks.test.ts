import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { renewPassword } from '../support/roles.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('Tasks of an administrator in the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  const here = () => {
    if (demo === undefined) throw new Error(why);
    return demo;
  };

  test('An administrator creates a user, and a user name that is in use is reported at its field.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'users' });
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('alice');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    const userName = unique('created');
    await dialog.getByLabel('User name').fill(userName);
    await dialog.getByLabel('Given name').fill('Grace');
    await dialog.getByLabel('Family name').fill('Created');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Created' }).waitFor();
    await context.close();
  });

  test('A registered application gets a token with the secret that is shown once, and none after it is disabled.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'applications/new' });
    await page.getByText('Machine').first().click();
    const name = unique('robot');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText(`“${name}” is registered`).waitFor();
    const secret = await page.locator('code', { hasText: /^ocs_/ }).first().textContent();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page
      .getByRole('link', { name: 'View app' })
      .or(page.getByRole('button', { name: 'View app' }))
      .click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const [, clientId = ''] = /applications\/([^/?]+)/.exec(page.url()) ?? [];
    const token = async () =>
      (
        await fetch(`${here().tenants.demo.issuer}/token`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
          },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        })
      ).status;
    expect(await token()).toBe(200);
    // The secret is not shown again.
    await page.reload();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain(secret);
    await page.getByRole('button', { name: 'Disable' }).first().click();
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Disable' })
      .click();
    await page.getByRole('button', { name: 'Enable' }).first().waitFor();
    expect(await token()).toBe(401);
    await context.close();
  });

  test('The first request of a new identity source appears on the page.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'sources/new?kind=SCIM' });
    const generic = page.getByText('SCIM 2.0').first();
    if (await generic.isVisible()) await generic.click();
    const name = unique('source');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create source and token' }).click();
    const token = await page
      .locator('code', { hasText: /^ost_scim_/ })
      .first()
      .textContent();
    await page.getByText('Waiting for the first request').waitFor();
    await new ScimClient(here().tenants.demo, token ?? '').call('GET', '/Users?count=1');
    await page.getByText('First request received').waitFor();
    await context.close();
  });

  test('A help desk user sees the permitted actions, and the reason for the others.', async () => {
    const token = await adminToken(here().tenants.demo);
    const tenant = here().tenants.demo;
    const user = { userName: unique('desk'), password: 'eleven quiet lanterns at the desk' };
    const { id } = await new ScimClient(tenant, tenant.clients.scim.token).createUser({
      ...user,
      displayName: user.userName,
    });
    await renewPassword(tenant, { ...user, id });
    const given = await graph(
      here(),
      token,
      'mutation ($input: RoleInput!) { assignRole(input: $input) { user { roles } problems { message } } }',
      { input: { userId: id, role: 'HELP_DESK' } },
    );
    expect(given.errors).toEqual([]);
    const { page, context } = await openConsole(browser, here(), { user, path: 'users' });
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Users', exact: true }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Apps' }).count()).toBe(0);
    const create = page.getByRole('button', { name: 'Create user' });
    await create.click();
    await page.getByText(/Requires users:write/).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });
});
