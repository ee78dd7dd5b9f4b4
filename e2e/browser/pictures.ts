import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ownSystem } from '../support/own-system.ts';
import { newContext, type Screen, type Theme } from './chromium.ts';
import { tour } from './tour.ts';

/** Folder of the pictures of the pages, with the text of each beside it. */
export const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

export type Picture = readonly [stop: string, theme: Theme, screen: Screen, language: string];

/** Pictures by folder. */
const byFolder: Readonly<Record<string, readonly Picture[]>> = {
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

const nameOf = ([stop, theme, screen, language]: Picture): string => `${stop}-${screen}-${theme}-${language}`;

export const folders = Object.keys(byFolder);
export const pictures = Object.entries(byFolder).flatMap(([of, taken]) =>
  taken.map((picture) => ({ picture, file: `${of}/${nameOf(picture)}` })),
);

/** A rectangle in CSS pixels, which are the pixels of the picture. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Look {
  png: Buffer;
  /** Visible text of the page, with "…" for text that differs from run to run. */
  text: string;
  /** Areas of the picture that differ from run to run. */
  changing: readonly Area[];
}

/** Text that differs from run to run: generated names and codes, secrets, times, ports and versions. */
const changingText = [
  'ines\\.vidal\\.[0-9a-f]{8}',
  'nobody-[0-9a-z]{1,6}',
  '\\b[0-9a-z]{5}-[0-9a-z]{5}\\b',
  '\\b[A-Z]{4}-[A-Z]{4}\\b',
  '\\b[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,}',
  '\\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\\s[AP]M)?',
  '(?:127\\.0\\.0\\.1|localhost):[0-9]+',
  '\\bChrom(?:e|ium) [0-9.]+',
  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
].join('|');

/** Replaces the changing text of the page; returns the areas in which it was. Run in the page. */
const replaceChanging = `(() => {
  const changing = new RegExp(${JSON.stringify(changingText)}, 'g');
  const areas = [];
  const keep = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    areas.push({ x: x + scrollX, y: y + scrollY, width, height });
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('time, .secret, code.typed') || node.data.search(changing) >= 0) found.push(node);
  }
  for (const node of found) keep(node.parentElement);
  for (const picture of document.querySelectorAll('main svg, main img')) keep(picture);
  for (const node of found) {
    node.data = node.parentElement.closest('time, .secret, code.typed') ? '…' : node.data.replace(changing, '…');
  }
  return areas;
})()`;

/** Takes the picture of a page, and then reads its text. */
export async function lookAt(page: Page): Promise<Look> {
  const png = await page.screenshot({ fullPage: true });
  const changing = (await page.evaluate(replaceChanging)) as Area[];
  // As it is rendered: hidden text is left out.
  // biome-ignore lint/performance/useDomNodeTextContent: textContent would include hidden text.
  const body = await page.locator('body').innerText();
  return { png, text: `${await page.title()}\n\n${body.trim().replace(/[ \t]+$/gm, '')}\n`, changing };
}

/** File of the probe: text in the fonts of the pages. Other fonts, or another Chromium version, draw it differently. */
export const probeFile = join(folder, 'probe.png');

export async function takeProbe(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 420, height: 160 } });
  await page.setContent(
    `<body style="margin:8px;font:16px/1.5 system-ui,sans-serif"><p>Sphinx of black quartz, judge my vow. ÄÖÜß éèñ ¿¡ · …</p>
     <p style="font-weight:600">0123456789</p><code style="font-family:ui-monospace,monospace">0O 1lI {}[]</code>`,
  );
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** System whose pages are visited one after the other, always in the same order. */
export interface Gallery {
  look(picture: Picture): Promise<Look>;
  close(): Promise<void>;
}

export async function openGallery(browser: Browser): Promise<Gallery> {
  const logo = await drawLogo(browser);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'image/png').end(logo);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const logoUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
  const { demo, stop } = await ownSystem({
    fresh: true,
    env: { NODE_ENV: 'test', OUTGOING_ALLOW_PRIVATE: 'true' },
  });
  const stops = new Map(tour(demo, logoUri).map((each) => [each.name, each]));
  return {
    async look([name, theme, screen, language]) {
      const context = await newContext(browser, { theme, screen, language });
      try {
        const page = await stops.get(name)?.open(context);
        if (!page) throw new Error(`There is no page ${name}.`);
        return await lookAt(page);
      } finally {
        await context.close();
      }
    },
    async close() {
      server.close();
      await stop();
    },
  };
}

/** Draws the logo of an app with the browser that takes the pictures: a bent arrow on a green square. */
async function drawLogo(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 192, height: 192 } });
  await page.setContent(
    `<body style="margin:0"><svg viewBox="0 0 48 48" width="192" height="192"><rect width="48" height="48" rx="10" fill="#0b6e4f"/>
     <path d="M14 34V24a8 8 0 0 1 8-8h12m-6-6 6 6-6 6" fill="none" stroke="#fff" stroke-width="4"/></svg></body>`,
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}
