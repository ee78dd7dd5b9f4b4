import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium } from '../browser/chromium.ts';
import { unique } from '../support/demo.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
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

  async function create(displayName: string): Promise<string> {
    const tenant = own.demo.tenants.demo;
    const { id } = await new ScimClient(tenant, tenant.clients.scim.token).createUser({
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

  test('When two administrators edit the same user, the second sees both versions side by side.', async () => {
    const id = await create(unique('contested'));
    const [first, second] = await Promise.all([
      openConsole(browser, own.demo, { path: `users/${id}?tab=profile` }),
      openConsole(browser, own.demo, { path: `users/${id}?tab=profile` }),
    ]);
    const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
    for (const { page } of [first, second])
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await title(second.page).fill('Night keeper');
    await title(first.page).fill('Day keeper');
    await first.page.getByRole('button', { name: 'Save' }).click();
    await first.page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await second.page.getByRole('button', { name: 'Save' }).click();
    await second.page.getByText('Day keeper').first().waitFor();
    await second.page.getByText('Night keeper').or(title(second.page)).first().waitFor();
    await Promise.all([first.context.close(), second.context.close()]);
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
