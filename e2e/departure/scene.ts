import * as client from 'openid-client';
import {
  Authenticator,
  type Options,
  passkeyOptions,
} from '../../services/auth/test/support/sign-in/authenticator.ts';
import { Browser, type Page } from '../support/browser.ts';
import { type DemoUser, unique } from '../support/demo.ts';
import { everyOwnScope, walk } from '../support/sign-in.ts';
import { type Manager, newManager } from './owned.ts';
import { employ, type Person } from './person.ts';
import {
  type Account,
  type Apps,
  clientIdOf,
  newAccount,
  newApps,
  newConnector,
  type Place,
} from './place.ts';

export const redirectUri = 'http://127.0.0.1:53123/callback';

/** Somebody with an authenticator, in front of a browser. */
export interface KeyHolder extends Person {
  browser: Browser;
  authenticator: Authenticator;
}

/** One trigger's people and apps. Several people, because not every door can be had beside every other. */
export interface Scene {
  place: Place;
  /** Whether doors are tried once more at last: then what can be used once is got once more. */
  returns: boolean;
  apps: Apps;
  connector: { id: string; token: string };
  account: Account;
  /** Has a password. Nearly all doors are theirs. */
  person: Person;
  /** Signed in, with something allowed to both apps. */
  browser: Browser;
  /** What `app` got for the person. */
  tokens: client.TokenEndpointResponse;
  /** Has nothing but a passkey, and the recovery codes that came with it. */
  keyHolder: KeyHolder & { recoveryCodes: string[] };
  /** Has a passkey besides the password. */
  careful: KeyHolder;
  /** Was invited, and has not come yet. */
  invited: Person & { link: URL };
  /** Has a role, and owns what works by itself. */
  manager: Manager;
  /** Stays, and allowed `app` something too. */
  colleague: { id: string; tokens: client.TokenEndpointResponse };
}

/** Everybody of a scene whose sign-ins end. */
export const leavers = ({ person, keyHolder, careful, invited }: Scene): Person[] => [
  person,
  keyHolder,
  careful,
  invited,
];

/** Everybody of a scene who is offboarded. */
export const offboarded = (scene: Scene): Person[] => [...leavers(scene), scene.manager];

/** A new scene. @param given what it shares with another, and the name its person has */
export async function newScene(
  place: Place,
  given: Partial<Pick<Scene, 'apps' | 'colleague' | 'returns'>> & { userName?: string } = {},
): Promise<Scene> {
  const [apps, connector, account, person, keyHolder, careful, invited, manager] = await Promise.all([
    given.apps ?? newApps(place),
    newConnector(place),
    newAccount(place),
    employ(place, given.userName),
    newKeyHolder(place),
    newCareful(place),
    newInvited(place),
    newManager(place),
  ]);
  const browser = new Browser(place.demo.origin);
  const tokens = await redeem(await authorize(apps.app, browser, person.user));
  const [colleague] = await Promise.all([
    given.colleague ?? newColleague(place, apps),
    authorize(apps.otherApp, browser, person.user),
  ]);
  const people = { person, keyHolder, careful, invited, manager, colleague };
  const { returns = true } = given;
  return { place, returns, apps, connector, account, browser, tokens, ...people };
}

async function newColleague(place: Place, { app }: Apps): Promise<Scene['colleague']> {
  const { id, user } = await employ(place);
  return { id, tokens: await redeem(await authorize(app, new Browser(place.demo.origin), user)) };
}

async function newInvited(place: Place): Promise<Scene['invited']> {
  const userName = unique('invited');
  const { id } = await place.scim.createUser({ userName });
  const { url = '' } = await place.change('inviteUser', 'InviteUserInput', { userId: id }, 'url');
  return { id, user: { userName, password: '' }, link: new URL(url) };
}

async function newKeyHolder(place: Place): Promise<Scene['keyHolder']> {
  const { link, ...person } = await newInvited(place);
  const browser = new Browser(place.demo.origin);
  const authenticator = softAuthenticator(place);
  const page = await browser.open(link);
  const shown = await answerWith(browser, page, authenticator.create(optionsOf(page)));
  const recoveryCodes = shown.root.querySelectorAll('.codes code').map((code) => code.text);
  if (recoveryCodes.length === 0) throw new Error(`no recovery codes: ${shown.status} ${shown.root.text}`);
  return { ...person, browser, authenticator, recoveryCodes };
}

async function newCareful(place: Place): Promise<KeyHolder> {
  const person = await employ(place);
  const browser = new Browser(place.demo.origin);
  const authenticator = softAuthenticator(place);
  const page = await accountPage(place, browser, '/passkeys', person.user);
  await answerWith(browser, page, authenticator.create(optionsOf(page)));
  return { ...person, browser, authenticator };
}

function softAuthenticator({ demo }: Place): Authenticator {
  return Object.assign(new Authenticator(), { origin: demo.origin });
}

/** A page of the account, signing in on the way if need be. */
export async function accountPage(
  scene: Place,
  browser: Browser,
  page: string,
  user: DemoUser,
): Promise<Page> {
  const shown = await browser.open(`${scene.tenant.issuer}/account${page}`);
  return shown.root.querySelector('input[type=password][autocomplete=current-password]')
    ? browser.submit(shown, { username: user.userName, password: user.password })
    : shown;
}

/** What a page asks an authenticator. */
export const optionsOf = (page: Page): Options =>
  passkeyOptions({ status: page.status, url: page.url.href, text: page.html } as never);

/** Sends the form of a page that asks an authenticator, with the answer. */
export function answerWith(browser: Browser, page: Page, credential: string): Promise<Page> {
  const form = page.root.querySelector('form[data-passkey]');
  const fields = form?.querySelectorAll('input[type=hidden]') ?? [];
  const values = new URLSearchParams(
    fields.map((input): [string, string] => [
      input.getAttribute('name') ?? '',
      input.getAttribute('value') ?? '',
    ]),
  );
  values.set('credential', credential);
  return post(browser, new URL(form?.getAttribute('action') ?? '', page.url), values);
}

export const post = (browser: Browser, address: URL, values: URLSearchParams): Promise<Page> =>
  browser.open(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: address.origin },
    body: values.toString(),
  });

/** A request that a code came of, or would. */
export interface Authorization {
  config: client.Configuration;
  callback: URL;
  verifier: string;
}

export async function authorizationUrl(
  config: client.Configuration,
  parameters: Record<string, string> = {},
): Promise<{ address: URL; verifier: string }> {
  const verifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: everyOwnScope,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { address, verifier };
}

/** As far as the redirect with a code in it. @throws Error when it doesn't come to that */
export async function authorize(
  config: client.Configuration,
  browser: Browser,
  user: DemoUser,
): Promise<Authorization> {
  const { address, verifier } = await authorizationUrl(config);
  const { url, status, root } = await walk(browser, address, user);
  if (!url.searchParams.has('code')) {
    throw new Error(`no code for ${clientIdOf(config)}: ${url} ${status} ${root.text.trim().slice(0, 200)}`);
  }
  return { config, callback: url, verifier };
}

export const redeem = (
  { config, callback, verifier }: Authorization,
  options?: client.DPoPOptions,
): Promise<client.TokenEndpointResponse> =>
  client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier }, undefined, options);
