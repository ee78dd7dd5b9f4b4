import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** The browser to test with; Debian's package installs /usr/bin/chromium. */
export const chromiumPath = process.env.CHROMIUM_PATH || undefined;

export const why = 'CHROMIUM_PATH names no browser: nothing here is tried in one.';

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(why);
  return chromium.launch({
    executablePath: chromiumPath,
    // Containers have no user namespaces for the sandbox, and little shared memory.
    // One process draws all pages that a context has of a site, and compiles their scripts, and those that look at them, once.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--process-per-site'],
  });
}

export const screens = {
  phone: { width: 390, height: 780 },
  desktop: { width: 1180, height: 760 },
} as const;

export type Screen = keyof typeof screens;
export type Theme = 'light' | 'dark';

/** A browser with no history, for one person at one screen. */
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
