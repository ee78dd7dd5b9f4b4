import { Authenticator, passkeyOptions } from './authenticator.ts';
import type { Answer, Browser } from './browser.ts';
import type { Plant } from './planted-ways.ts';
import { codeOf, enter, enterWithPasskey, type Planted, plantedPassword } from './planting.ts';
import { service } from './role-groups.ts';
import { accountPath, appCode, laterStep, offeredSecret, shownCodes } from './second-step.ts';

/** Signs in to an account page with a password. */
export async function pageAs(
  browser: Browser,
  person: Planted,
  path: string,
  secret: string,
): Promise<Answer> {
  const login = await browser.follow(await browser.get(`${accountPath}${path}`));
  const form = { username: person.userName, password: secret, action: 'sign-in' };
  return browser.follow(await browser.submit(login, form));
}

/** Adds an authenticator app in a session of the password. */
export async function addApp(person: Planted, secret: string) {
  const browser = service.browser();
  const offer = await pageAs(browser, person, '/totp', secret);
  const app = offeredSecret(offer);
  const page = await browser.follow(await browser.submit(offer, { code: appCode(app) }));
  await laterStep(service);
  return { browser, app, codes: shownCodes(page) };
}

async function addKey(person: Planted, secret: string): Promise<Authenticator> {
  const browser = service.browser();
  const authenticator = new Authenticator();
  const page = await pageAs(browser, person, '/passkeys', secret);
  const credential = authenticator.create(passkeyOptions(page));
  await browser.follow(await browser.submit(page, { credential, name: 'Laptop' }));
  return authenticator;
}

/** Second sign-in methods, added with a planted password that is then replaced. */
export const plantedFactors = {
  'an authenticator app': async (person) => {
    const { app } = await addApp(person, plantedPassword);
    return async () => (await enter(person.userName, { code: codeOf(app) })).scopes;
  },
  'recovery codes': async (person) => {
    const { codes } = await addApp(person, plantedPassword);
    return async () => (await enter(person.userName, { code: () => codes[0] ?? '' })).scopes;
  },
  'recovery codes that replace others': async (person) => {
    const { browser } = await addApp(person, plantedPassword);
    const form = await browser.get(`${accountPath}/recovery-codes`);
    const [code = ''] = shownCodes(await browser.follow(await browser.submit(form, {})));
    return async () => (await enter(person.userName, { code: () => code })).scopes;
  },
  'a passkey': async (person) => {
    const authenticator = await addKey(person, plantedPassword);
    return async () => (await enterWithPasskey(authenticator)).scopes;
  },
} satisfies Record<string, Plant>;
