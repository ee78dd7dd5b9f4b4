import { expect } from '@jest/globals';
import type { Answer, Browser } from './browser.ts';
import { client, service } from './one-client.ts';
import { setUpApp } from './second-step.ts';
import { authorizeUrl, redeem, signIn, tenant } from './service.ts';

export const claimsOf = async (location: string | undefined): Promise<Record<string, unknown>> => {
  const { body } = await redeem(service, client, new URL(location ?? ''));
  return JSON.parse(Buffer.from(body.id_token?.split('.')[1] ?? '', 'base64url').toString());
};

/** Signs in with the password, up to the second step. */
export async function atSecondStep(userName: string): Promise<{ browser: Browser; page: Answer }> {
  const browser = service.browser();
  const page = await signIn(browser, client, userName);
  expect([page.status, page.url.split('?')[0]]).toEqual([200, `/t/${tenant}/login/verify`]);
  return { browser, page };
}

export async function withApp(userName: string) {
  const person = await service.person(userName);
  return { person, ...(await setUpApp(service, service.browser(), userName)) };
}

export const silent = async (browser: Browser): Promise<string | null> =>
  new URL((await browser.get(authorizeUrl(client, { prompt: 'none' }))).location ?? '').searchParams.get(
    'error',
  );

/** Returns the hidden fields of the passkey form. */
export function fieldsOf(page: Answer): Record<string, string> {
  const form = /<form[^>]*data-passkey[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? '';
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(i|csrf)" value="([^"]*)">/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );
}
