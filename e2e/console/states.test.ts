import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Browser, Page } from 'playwright-core';
import { violations } from '../browser/axe.ts';
import { chromiumPath, launchChromium, screens, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { type ConsolePage, openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('states of the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  const userName = unique('states');
  let browser: Browser;
  let opened: ConsolePage;
  let id = '';
  beforeAll(async () => {
    browser = await launchChromium();
    const { tenants } = here();
    const scim = new ScimClient(tenants.demo, tenants.demo.clients.scim.token);
    ({ id } = await scim.createUser({ userName, displayName: userName }));
    opened = await openConsole(browser, here());
  });
  afterAll(() => browser?.close());
  const here = () => {
    if (demo === undefined) throw new Error(why);
    return demo;
  };

  const visit = async (path: string, page = opened.page) => {
    await page.goto(`${here().origin}/console/t/demo/${path}`);
    await page.locator('main h1').first().waitFor();
    await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  };
  const press = (name: string) => async (page: Page) =>
    page.getByRole('button', { name, exact: true }).first().click();

  /** Expects no violations in both themes, on a desktop and on a phone. */
  async function expectAccessible(page: Page): Promise<void> {
    for (const [colorScheme, screen] of [
      ['light', 'desktop'],
      ['dark', 'phone'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(screens[screen]);
      expect([colorScheme, screen, await violations(page)]).toEqual([colorScheme, screen, []]);
    }
    await page.setViewportSize(screens.desktop);
  }

  test.each<[string, () => string, (page: Page) => Promise<void>]>([
    ['offboarding', () => `users/${id}`, press('Offboard now')],
    ['creation of a user', () => 'users', press('Create user')],
    ['filter', () => 'users?filter=title pr', press('Filter')],
    [
      'bulk actions',
      () => `users?q=${userName}`,
      async (page) => {
        await page.getByRole('row', { name: userName }).locator('.checkbox').click();
        await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
      },
    ],
    ['creation of a group', () => 'groups', press('Create group')],
    ['registration of an API', () => 'apis', press('Register API')],
    [
      'claims of an app',
      () => `applications/${here().tenants.demo.clients.webapp.client_id}?tab=claims`,
      press('Edit claims'),
    ],
    ['assignment of a role of an API', () => `users/${id}`, press('Assign API role')],
    ['rotation of signing keys', () => 'keys', press('Rotate now')],
    ['removal of signing keys', () => 'keys', press('Remove compromised keys')],
    [
      'rotation of a secret',
      () => `applications/${here().tenants.demo.clients.webapp.client_id}`,
      press('Rotate secret'),
    ],
    ['export of the logs', () => 'logs', press('Export')],
  ])('The dialog for %s is accessible, has the focus, and closes with Escape.', async (_name, path, open) => {
    const { page, complaints } = opened;
    complaints.length = 0;
    await visit(path());
    await open(page);
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await dialog.waitFor();
    await dialog.getByText('Loading …').first().waitFor({ state: 'detached' });
    await eventually(() => page.evaluate('document.activeElement.closest("[role$=dialog]") !== null'));
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test.each(['doors', 'profile', 'timeline', 'signIns', 'departures'])(
    'The tab %s of a user is accessible and fits a narrow screen.',
    async (tab) => {
      const { page, complaints } = opened;
      complaints.length = 0;
      await visit(`users/${id}?tab=${tab}`);
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 640 });
      await eventually(
        () => page.evaluate<number>('document.documentElement.scrollWidth'),
        (width) => width <= 320,
      );
      await page.setViewportSize(screens.desktop);
      expect(complaints).toEqual([]);
    },
  );

  test('The command palette is used with the keyboard only: it opens, moves, follows an entry, and closes.', async () => {
    const { page } = opened;
    await visit('');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('s');
    const focused = page.locator('.palette [role=option][data-focused]');
    const moveTo = async (key: string, name: string) => {
      await eventually(
        async () => {
          await page.keyboard.press(key);
          // Without waiting: results that arrive meanwhile remove the focus.
          return (await focused.allTextContents())[0] ?? '';
        },
        (text) => text.includes(name),
      );
    };
    await moveTo('ArrowDown', 'Extension schemas');
    await moveTo('ArrowUp', 'Deliveries');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/demo/deliveries');
    await palette.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type(userName);
    await moveTo('ArrowDown', userName);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/users/${id}**`);
  });

  test('The note of a failure is accessible, and its button loads the page again.', async () => {
    const { page } = opened;
    await visit('groups');
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText('The server can’t be reached').first().waitFor();
    await expectAccessible(page);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('The server can’t be reached').first().waitFor({ state: 'detached' });
  });

  test.each([
    '',
    'users',
    'roles',
    'applications',
    'sources',
    'deliveries',
    'logs',
    'tenant',
    'branding',
    'system',
  ])('In German, the page /%s is accessible and fits a narrow screen.', async (path) => {
    const { page, context, complaints } = await openConsole(browser, here(), {
      path,
      context: { language: 'de', viewport: { width: 320, height: 640 } },
    });
    await page.getByText('Wird geladen …').first().waitFor({ state: 'detached' });
    await eventually(
      () => page.evaluate<number>('document.documentElement.scrollWidth'),
      (width) => width <= 320,
    );
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
