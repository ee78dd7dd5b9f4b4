import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium } from '../browser/chromium.ts';
import { unique } from '../support/demo.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { openConsole, signIn } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('The console during outages and conflicts', () => {
  let own: OwnSystem;
  let browser: Browser;
  beforeAll(async () => {
    [own, browser] = await Promise.all([ownSystem(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await own?.stop();
  });

  const scim = () => {
    const tenant = own.demo.tenants.demo;
    return new ScimClient(tenant, tenant.clients.scim.token);
  };

  async function create(displayName: string): Promise<string> {
    const { id } = await scim().createUser({
      userName: displayName,
      displayName,
      title: 'Keeper',
    });
    return id;
  }

  test('Without a service, its part of a page is reported as missing, and a button loads it again.', async () => {
    const name = unique('partly');
    const id = await create(name);
    const { page, context } = await openConsole(browser, own.demo, { path: `users/${id}` });
    await page.getByRole('heading', { name: 'Identity source', exact: true }).waitFor();
    await own.system.stop('provisioning');
    try {
      await page.reload();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page
        .getByText(/service isn’t responding: .*provisioning/)
        .first()
        .waitFor();
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    } finally {
      await own.system.start('provisioning');
    }
    // The gateway detects the recovery after a moment.
    await eventually(
      async () => {
        for (const button of await page.getByRole('button', { name: 'Try again' }).all())
          await button.click();
        return page.getByText(/service isn’t responding/).count();
      },
      (missing) => missing === 0,
    );
    await context.close();
  });

  test('When two administrators edit the same user, the second sees both versions side by side and chooses per field.', async () => {
    const id = await create(unique('contested'));
    const [first, second] = await Promise.all([
      openConsole(browser, own.demo, { path: `users/${id}?tab=profile` }),
      openConsole(browser, own.demo, { path: `users/${id}?tab=profile` }),
    ]);
    const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
    const edit = async (page: Page, title: string, nickname: string) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await field(page, 'Title').fill(title);
      await field(page, 'Nickname').fill(nickname);
    };
    await edit(second.page, 'Night keeper', 'Owl');
    await edit(first.page, 'Day keeper', 'Lark');
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
    await save(first.page).click();
    await save(first.page).waitFor({ state: 'detached' });
    await save(second.page).click();
    const sides = (name: string) => second.page.getByRole('radiogroup', { name }).getByRole('radio');
    for (const [name, theirs, yours] of [
      ['Title', 'Day keeper', 'Night keeper'],
      ['Nickname', 'Lark', 'Owl'],
    ] as const) {
      const choice = second.page.getByRole('radiogroup', { name });
      await choice.locator('.conflict-side', { hasText: 'Current value' }).getByText(theirs).waitFor();
      await choice.locator('.conflict-side', { hasText: 'Your value' }).getByText(yours).waitFor();
      expect(await sides(name).nth(1).isChecked()).toBe(true);
    }
    await second.page.getByRole('radiogroup', { name: 'Title' }).getByText('Day keeper').click();
    await second.page.getByRole('button', { name: 'Continue editing' }).click();
    await save(second.page).click();
    await save(second.page).waitFor({ state: 'detached' });
    const { body } = await scim().call('GET', `/Users/${id}`);
    expect(body).toMatchObject({ title: 'Day keeper', nickName: 'Owl' });
    await Promise.all([first.context.close(), second.context.close()]);
  });

  test.each([
    ['Keep the current values', 'theirs'],
    ['Save my changes', 'yours'],
  ] as const)('In the conflict dialog, the button “%s” keeps what it names.', async (button, kept) => {
    const displayName = unique('shifts');
    const created = await scim().call('POST', '/Groups', { schemas: [groupSchema], displayName });
    const names = { theirs: unique('theirs'), yours: unique('yours') };
    const path = `groups/${created.body.id}`;
    const { page, context, complaints } = await openConsole(browser, own.demo, { path });
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(names.yours);
    await scim().patch(`/Groups/${created.body.id}`, [
      { op: 'replace', path: 'displayName', value: names.theirs },
    ]);
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    const conflict = page.getByRole('alertdialog');
    const row = conflict.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Name' }) });
    await row.getByRole('cell', { name: names.theirs, exact: true }).waitFor();
    expect(await conflict.getByRole('columnheader').allTextContents()).toEqual([
      'Field',
      'Current value',
      'Your value',
    ]);
    expect(await row.getByRole('cell').allTextContents()).toEqual([names.theirs, names.yours]);
    await conflict.getByRole('button', { name: button }).click();
    await conflict.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: names[kept] }).waitFor();
    const { body } = await scim().call('GET', `/Groups/${created.body.id}`);
    expect(body.displayName).toBe(names[kept]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An action that needs a recent sign-in opens a sign-in window and continues afterwards.', async () => {
    const { page, context } = await openConsole(browser, own.demo, { path: 'service-accounts' });
    const database = new pg.Client({ connectionString: own.system.databaseUrl });
    await database.connect();
    await database.query("UPDATE auth.sessions SET auth_time = now() - interval '1 hour'");
    await database.end();
    await page.reload();
    const name = unique('robot');
    await page.getByRole('button', { name: 'Create service account' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: /^Create/ }).click();
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
    await signIn(popup, own.demo.tenants.demo.users.admin);
    await page.getByText(name).first().waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    expect(await page.getByText('Confirm it’s you').count()).toBe(0);
    await context.close();
  });

  test('A lost connection is shown, and events that occurred in the meantime appear after it is restored.', async () => {
    const name = unique('meanwhile');
    const { page, context } = await openConsole(browser, own.demo, { path: `users?q=${name}` });
    await page.getByText('live', { exact: true }).first().waitFor();
    await own.system.stop('gateway');
    await page.getByText('not live').first().waitFor();
    await own.system.start('gateway');
    await create(name);
    await page.getByRole('rowheader', { name }).waitFor();
    await page.getByText('live', { exact: true }).first().waitFor();
    await context.close();
  });
});
