/**
 * Takes the pictures of the pages in docs/screenshots, of a system of its own:
 *
 *   CHROMIUM_PATH=/usr/bin/chromium node e2e/browser/screenshots.ts
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownSystem } from '../story/own-system.ts';
import { launchChromium, newContext, type Screen, type Theme } from './chromium.ts';
import { tour } from './tour.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

/** What is worth a picture, and how it is taken; the rest differs in words only. */
const pictures: [stop: string, theme: Theme, screen: Screen, language: string][] = [
  ['sign-in', 'light', 'desktop', 'en'],
  ['sign-in', 'dark', 'phone', 'de'],
  ['sign-in-refused', 'light', 'phone', 'en'],
  ['consent', 'light', 'desktop', 'en'],
  ['consent', 'dark', 'phone', 'fr'],
  ['select-account', 'light', 'phone', 'es'],
  ['device', 'light', 'phone', 'en'],
  ['device-consent', 'dark', 'desktop', 'en'],
  ['second-step', 'light', 'phone', 'en'],
  ['second-step', 'dark', 'desktop', 'de'],
  ['recovery-codes', 'light', 'desktop', 'en'],
  ['recovery-codes', 'dark', 'phone', 'fr'],
  ['recover', 'light', 'phone', 'en'],
  ['invitation', 'light', 'desktop', 'en'],
  ['invitation', 'dark', 'phone', 'es'],
  ['access-reset', 'light', 'phone', 'en'],
  ['account', 'light', 'desktop', 'en'],
  ['account', 'dark', 'phone', 'en'],
  ['account-totp', 'light', 'phone', 'en'],
  ['account-passkeys', 'dark', 'phone', 'en'],
  ['account-tokens', 'light', 'phone', 'en'],
  ['sign-out', 'light', 'phone', 'en'],
  ['signed-out', 'dark', 'phone', 'en'],
  ['error', 'light', 'desktop', 'en'],
];

const browser = await launchChromium();
const { demo, stop: end } = await ownSystem();
try {
  const stops = new Map(tour(demo).map((stop) => [stop.name, stop]));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, theme, screen, language] of pictures) {
    const context = await newContext(browser, { theme, screen, language });
    const page = await stops.get(name)?.open(context);
    if (!page) throw new Error(`There is no page ${name}.`);
    const file = `${name}-${screen}-${theme}-${language}.png`;
    await writeFile(join(folder, file), await page.screenshot({ fullPage: true }));
    process.stdout.write(`docs/screenshots/${file}\n`);
    await context.close();
  }
} finally {
  await end();
  await browser.close();
}
