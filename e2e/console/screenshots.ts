/**
 * Takes the pictures of the console in docs/screenshots/console from a separate system:
 *
 *   CHROMIUM_PATH=/usr/bin/chromium node e2e/console/screenshots.ts
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium, type Screen, type Theme } from '../browser/chromium.ts';
import { ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots', 'console');

interface Picture {
  name: string;
  path: string;
  looks: readonly (readonly [Theme, Screen, string])[];
  /** Runs before the picture is taken. */
  before?(page: Page): Promise<void>;
}

const own = await ownSystem();
const browser = await launchChromium();
const tenant = own.demo.tenants.demo;
const scim = new ScimClient(tenant, tenant.clients.scim.token);
const names = ['Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Edsger Dijkstra', 'Barbara Liskov'];
for (const displayName of names) {
  const userName = displayName.toLowerCase().replace(' ', '.');
  const emails = [{ value: `${userName}@demo.example`, primary: true }];
  await scim.createUser({ userName, displayName, emails });
}
const leaver = { userName: 'lee.aver', password: 'seven quiet lanterns at the door' };
const { id: left } = await scim.createUser({ ...leaver, displayName: 'Lee Aver' });
await signIn(own.demo, tenant, leaver);
await scim.patch(`/Users/${left}`, [{ op: 'replace', path: 'active', value: false }]);
const alice = await signIn(own.demo, tenant, tenant.users.alice);

const pictures: readonly Picture[] = [
  {
    name: 'overview',
    path: '',
    looks: [
      ['light', 'desktop', 'en'],
      ['dark', 'phone', 'de'],
    ],
  },
  { name: 'users', path: 'users', looks: [['dark', 'desktop', 'fr']] },
  {
    name: 'user',
    path: `users/${alice.subject}`,
    looks: [
      ['light', 'desktop', 'en'],
      ['dark', 'phone', 'es'],
    ],
  },
  {
    name: 'offboarding',
    path: `users/${alice.subject}`,
    looks: [['light', 'desktop', 'en']],
    before: async (page) => {
      await page.getByRole('button', { name: 'Offboard now' }).click();
      await page.getByRole('alertdialog').getByText('Sign-in with any method').waitFor();
    },
  },
  { name: 'departure', path: `users/${left}?tab=departures`, looks: [['light', 'phone', 'en']] },
  { name: 'applications', path: 'applications', looks: [['light', 'desktop', 'en']] },
  { name: 'new-application', path: 'applications/new', looks: [['dark', 'desktop', 'en']] },
  { name: 'new-source', path: 'sources/new', looks: [['light', 'desktop', 'de']] },
  { name: 'logs', path: 'logs', looks: [['light', 'desktop', 'en']] },
];

try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { name, path, looks, before } of pictures) {
    for (const [theme, screen, language] of looks) {
      const { page, context } = await openConsole(browser, own.demo, {
        path,
        context: { theme, screen, language },
      });
      // Time for the first responses and the drawing of charts.
      await page.waitForTimeout(2_500);
      await before?.(page);
      const file = `${name}-${screen}-${theme}-${language}.png`;
      await writeFile(join(folder, file), await page.screenshot());
      process.stdout.write(`docs/screenshots/console/${file}\n`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await own.stop();
}
