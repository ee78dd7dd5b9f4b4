import { waitBoundMs } from '@ostiary/service/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newContext } from '../browser/chromium.ts';
import type { Demo, DemoUser } from '../support/demo.ts';

export type TenantName = 'demo' | 'rival';

export interface Visit {
  tenant?: TenantName;
  /** User who signs in, default the tenant's administrator. */
  user?: DemoUser;
  /** Path after the tenant's address. */
  path?: string;
  context?: Parameters<typeof newContext>[1];
}

export interface ConsolePage {
  page: Page;
  context: BrowserContext;
  /** Errors of the browser: blocked styles and scripts, and failed scripts. */
  complaints: string[];
}

/** The first request to the token endpoint fails, because its proof has no nonce yet (RFC 9449 §8). */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource');

/** Opens the console by its address and signs in. */
export async function openConsole(browser: Browser, demo: Demo, visit: Visit = {}): Promise<ConsolePage> {
  const { tenant = 'demo', path = '', user = demo.tenants[tenant].users.admin } = visit;
  const context = await newContext(browser, visit.context);
  context.setDefaultTimeout(waitBoundMs);
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${demo.origin}/console/t/${tenant}/${path}`);
  await signIn(page, user);
  await page.waitForURL((url) => url.pathname.startsWith(`/console/t/${tenant}`));
  await page.locator('main h1').first().waitFor();
  return { page, context, complaints };
}

/** Submits the sign-in form. */
export async function signIn(page: Page, { userName, password }: DemoUser): Promise<void> {
  await page.locator('input[name=username]').fill(userName);
  await page.locator('input[type=password]').fill(password);
  await page.locator('input[type=password]').press('Enter');
}
