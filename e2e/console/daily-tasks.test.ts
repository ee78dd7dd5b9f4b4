import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Browser, Download } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

async function textOf(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describeInBrowser('Daily tasks of an administrator in the console', () => {
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
  const scim = () => new ScimClient(here().tenants.demo, here().tenants.demo.clients.scim.token);
  const create = async (userName: string) =>
    (await scim().createUser({ userName, displayName: userName })).id;

  test('A rotated secret works immediately, and the former one works during the chosen overlap only.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'applications/new' });
    await page.getByText('Machine').first().click();
    const name = unique('rotated');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText(`“${name}” is registered`).waitFor();
    const shown = async () => (await page.locator('code', { hasText: /^ocs_/ }).first().textContent()) ?? '';
    const secrets = [await shown()];
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page
      .getByRole('link', { name: 'View app' })
      .or(page.getByRole('button', { name: 'View app' }))
      .click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const [, clientId = ''] = /applications\/([^/?]+)/.exec(page.url()) ?? [];
    const statuses = () =>
      Promise.all(
        secrets.map(async (secret) => {
          const response = await fetch(`${here().tenants.demo.issuer}/token`, {
            method: 'POST',
            headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
            body: new URLSearchParams({ grant_type: 'client_credentials' }),
          });
          return response.status;
        }),
      );
    const rotate = async (overlap: string) => {
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /keeps working for/ }).click();
      await page.getByRole('option', { name: overlap }).click();
      await dialog.getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByRole('button', { name: 'I have saved it' }).waitFor();
      secrets.push(await shown());
      await page.getByRole('button', { name: 'I have saved it' }).click();
    };
    await rotate('1 hour');
    expect(await statuses()).toEqual([200, 200]);
    await rotate('0 minutes (stops immediately)');
    expect(await statuses()).toEqual([401, 401, 200]);
    await context.close();
  });

  test('An administrator creates a group, adds a user and removes the user again.', async () => {
    const member = unique('joins');
    const id = await create(member);
    const { page, context, complaints } = await openConsole(browser, here(), { path: 'groups' });
    const name = unique('crew');
    await page.getByRole('button', { name: 'Create group' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const [, groupId = ''] = /groups\/([^/?]+)/.exec(page.url()) ?? [];
    const members = async () =>
      ((await scim().call('GET', `/Groups/${groupId}`)).body.members ?? []).map(
        ({ value }: { value: string }) => value,
      );
    await page.getByRole('button', { name: 'Add members' }).first().click();
    await dialog.getByRole('combobox', { name: /User name or email/ }).fill(member);
    await page.getByRole('option', { name: member }).click();
    await dialog.getByRole('button', { name: 'Add 1' }).click();
    await page.getByRole('rowheader', { name: member }).waitFor();
    expect(await members()).toEqual([id]);
    await page.getByRole('row', { name: member }).locator('.checkbox').click();
    await page.getByRole('button', { name: 'Remove 1 member' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove 1 member' }).click();
    await page.getByText('No members yet').waitFor();
    expect(await members()).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An administrator assigns a role, and the user’s page shows the reason for it.', async () => {
    const id = await create(unique('promoted'));
    const { page, context, complaints } = await openConsole(browser, here(), { path: `users/${id}` });
    await page.getByRole('button', { name: 'Assign role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Role$/ }).click();
    await page.getByRole('option', { name: 'Help desk' }).click();
    await dialog.getByRole('button', { name: 'Assign role' }).click();
    const roles = page
      .locator('.card, section')
      .filter({ has: page.getByRole('heading', { name: 'Roles' }) });
    await roles.getByText('Help desk', { exact: true }).first().waitFor();
    await roles.getByText('assigned directly').first().waitFor();
    await page.getByRole('button', { name: /^Remove: Help desk/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No roles. The user can only manage their own account.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A search of the logs is exported with exactly the entries that it shows.', async () => {
    const name = unique('logged');
    const id = await create(name);
    await scim().patch(`/Users/${id}`, [{ op: 'replace', path: 'title', value: 'Clerk' }]);
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: `logs?logs=audit&resource=${id}`,
    });
    await page.getByText('End of list: 2 entries.').waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Format$/ }).click();
    await page.getByRole('option', { name: 'JSON Lines, for programs' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^demo-log-.*\.jsonl$/);
    const lines = (await textOf(download)).trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.stringify(JSON.parse(line))).toContain(id);
    await dialog.getByText('2 entries exported.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A bulk deactivation lists the users before, shows the progress, and revokes their access.', async () => {
    const prefix = unique('bulk');
    const ids = [await create(`${prefix}-a`), await create(`${prefix}-b`), await create(`${prefix}-c`)];
    const { page, context, complaints } = await openConsole(browser, here(), { path: `users?q=${prefix}` });
    await page.locator('[role=grid][aria-rowcount="4"]').waitFor();
    for (const name of ['a', 'b'])
      await page
        .getByRole('row', { name: `${prefix}-${name}` })
        .locator('.checkbox')
        .click();
    await page.getByText('2 users selected').waitFor();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Deactivate 2 users' });
    const list = dialog.getByRole('list', { name: 'Selected users' });
    expect(await list.getByRole('listitem').count()).toBe(2);
    const active = async () =>
      Promise.all(ids.map(async (id) => (await scim().call('GET', `/Users/${id}`)).body.active));
    expect(await active()).toEqual([true, true, true]);
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await dialog.getByText('2 of 2 done').waitFor();
    expect(await dialog.getByRole('progressbar').getAttribute('value')).toBe('2');
    expect(await list.getByText('done', { exact: true }).count()).toBe(2);
    expect(await active()).toEqual([false, false, true]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 users selected').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A change of the branding is previewed, and appears on the sign-in page after it is saved.', async () => {
    const name = unique('Rival Works');
    const { page, context, complaints } = await openConsole(browser, here(), {
      tenant: 'rival',
      path: 'branding',
    });
    const field = page.getByLabel('Organization name');
    const before = await field.inputValue();
    const shown = async () => {
      const visitor = await context.browser()?.newContext();
      const signIn = await visitor?.newPage();
      await signIn?.goto(`${here().tenants.rival.issuer}/account`);
      const text = await signIn?.locator('body').textContent();
      await visitor?.close();
      return text ?? '';
    };
    const save = async (value: string) => {
      await field.fill(value);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await eventually(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
    };
    await field.fill(name);
    await page.locator('.previews').getByText(name).first().waitFor();
    expect(await shown()).not.toContain(name);
    await save(name);
    try {
      await eventually(shown, (text) => text.includes(name));
    } finally {
      await save(before);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});
