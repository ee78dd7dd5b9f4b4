import { recordSkip } from '@ostiary/service/testing';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** Path of Chromium. Debian's package installs /usr/bin/chromium. */
export const chromiumPath = process.env.CHROMIUM_PATH || undefined;

export const why = 'CHROMIUM_PATH names no browser (apt: chromium)';
if (chromiumPath === undefined) recordSkip(why);

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(why);
  return chromium.launch({
    executablePath: chromiumPath,
    // Containers have no user namespaces for the sandbox, and little shared memory. One process renders all pages of a
    // site in a context, so that their scripts and axe are compiled once.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--process-per-site'],
  });
}

export const screens = {
  phone: { width: 390, height: 780 },
  desktop: { width: 1180, height: 760 },
} as const;

export type Screen = keyof typeof screens;
export type Theme = 'light' | 'dark';

/** Creates a browser context without cookies or history, for one user and one screen. */
export function newContext(
  browser: Browser,
  o: { screen?: Screen; theme?: Theme; language?: string } & Omit<BrowserContextOptions, 'screen'> = {},
): Promise<BrowserContext> {
  const { screen = 'desktop', theme = 'light', language = 'en', ...options } = o;
  return browser.newContext({
    viewport: screens[screen],
    colorScheme: theme,
    locale: language,
    reducedMotion: 'reduce',
    ...options,
  });
}
