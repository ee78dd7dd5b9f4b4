/**
 * Takes the pictures of the pages in docs/screenshots, of a system of its own:
 *
 *   CHROMIUM_PATH=/usr/bin/chromium node e2e/browser/screenshots.ts
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ownSystem } from '../support/own-system.ts';
import { launchChromium, newContext, type Screen, type Theme } from './chromium.ts';
import { tour } from './tour.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

type Picture = readonly [stop: string, theme: Theme, screen: Screen, language: string];

/** What is worth a picture, by folder, and how it is taken; the rest differs in words only. */
const pictures: Readonly<Record<string, readonly Picture[]>> = {
  'sign-in': [
    ['sign-in', 'light', 'desktop', 'en'],
    ['sign-in', 'dark', 'phone', 'de'],
    ['sign-in-refused', 'light', 'phone', 'en'],
    ['app-sign-in', 'light', 'desktop', 'en'],
    ['app-sign-in', 'dark', 'phone', 'de'],
    ['select-account', 'light', 'phone', 'es'],
    ['second-step', 'light', 'phone', 'en'],
    ['second-step', 'dark', 'desktop', 'de'],
    ['sign-out', 'light', 'phone', 'en'],
    ['signed-out', 'dark', 'phone', 'en'],
    ['error', 'light', 'desktop', 'en'],
  ],
  consent: [
    ['consent', 'light', 'desktop', 'en'],
    ['consent', 'dark', 'phone', 'fr'],
    ['app-consent', 'light', 'phone', 'en'],
    ['app-consent', 'dark', 'desktop', 'fr'],
    ['device', 'light', 'phone', 'en'],
    ['device-consent', 'dark', 'desktop', 'en'],
  ],
  account: [
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
  ],
};

const browser = await launchChromium();
/** The logo of an app: a bent arrow on a green square, drawn by the browser that takes the pictures. */
async function drawLogo(): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 192, height: 192 } });
  await page.setContent(
    `<body style="margin:0"><svg viewBox="0 0 48 48" width="192" height="192"><rect width="48" height="48" rx="10" fill="#0b6e4f"/>
     <path d="M14 34V24a8 8 0 0 1 8-8h12m-6-6 6 6-6 6" fill="none" stroke="#fff" stroke-width="4"/></svg></body>`,
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

const logo = await drawLogo();
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'image/png').end(logo);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const logoUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
const { demo, stop: end } = await ownSystem({ env: { NODE_ENV: 'test', OUTGOING_ALLOW_PRIVATE: 'true' } });
try {
  const stops = new Map(tour(demo, logoUri).map((stop) => [stop.name, stop]));
  for (const of of Object.keys(pictures)) await rm(join(folder, of), { recursive: true, force: true });
  const all = Object.entries(pictures).flatMap(([of, taken]) =>
    taken.map((picture) => [of, ...picture] as const),
  );
  for (const [of, name, theme, screen, language] of all) {
    await mkdir(join(folder, of), { recursive: true });
    const context = await newContext(browser, { theme, screen, language });
    const page = await stops.get(name)?.open(context);
    if (!page) throw new Error(`There is no page ${name}.`);
    const file = `${of}/${name}-${screen}-${theme}-${language}.png`;
    await writeFile(join(folder, file), await page.screenshot({ fullPage: true }));
    process.stdout.write(`docs/screenshots/${file}\n`);
    await context.close();
  }
} finally {
  await end();
  server.close();
  await browser.close();
}
