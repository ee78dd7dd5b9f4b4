import * as client from 'openid-client';
import {
  Authenticator,
  type Options,
  passkeyOptions,
} from '../../services/auth/test/support/sign-in/authenticator.ts';
import { Browser, type Page } from '../support/browser.ts';
import { type DemoUser, unique } from '../support/demo.ts';
import { everyOwnScope, walk } from '../support/sign-in.ts';
import { companyOf } from './company.ts';
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

/** A user with an authenticator and a browser. */
export interface KeyHolder extends Person {
  browser: Browser;
  authenticator: Authenticator;
}

/** Users and clients of one trigger. There are several users, because some access paths exclude each other. */
export interface Scene {
  place: Place;
  /**
   * Whether access paths are requested again after the change is undone, for which single-use credentials are needed.
   */
  returns: boolean;
  apps: Apps;
  connector: { id: string; token: string };
  account: Account;
  /** User with a password, who has most access paths. */
  person: Person;
  /** Signed in, with consent for both clients. */
  browser: Browser;
  /** Tokens of `app` for the user. */
  tokens: client.TokenEndpointResponse;
  /** User with a passkey and its recovery codes only. */
  keyHolder: KeyHolder & { recoveryCodes: string[] };
  /** User with a passkey and a password. */
  careful: KeyHolder;
  /** User with an open invitation. */
  invited: Person & { link: URL };
  /** User with a role, who owns clients, a service account and a connector. */
  manager: Manager;
  /** Another active user with consent for `app`. */
  colleague: { id: string; tokens: client.TokenEndpointResponse };
}

/** Returns all users of a scene whose sign-ins end. */
export const leavingUsers = ({ person, keyHolder, careful, invited }: Scene): Person[] => [
  person,
  keyHolder,
  careful,
  invited,
];

/** Returns all users of a scene who are offboarded. */
export const offboarded = (scene: Scene): Person[] => [...leavingUsers(scene), scene.manager];

/** Creates a scene. @param given parts shared with another scene, and the name of its user */
export async function newScene(
  place: Place,
  given: Partial<Pick<Scene, 'apps' | 'colleague' | 'returns'>> & { userName?: string } = {},
): Promise<Scene> {
  const [apps, connector, account, person, keyHolder, careful, invited, manager] = await Promise.all([
    given.apps ?? companyOf(place).then(({ jwt, opaque }) => newApps(place, [jwt.scope, opaque.scope])),
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

/** Opens an account page, and signs in if needed. */
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

/** Returns the passkey options of a page. */
export const optionsOf = (page: Page): Options =>
  passkeyOptions({ status: page.status, url: page.url.href, text: page.html } as never);

/** Submits the passkey form of a page with the answer of the authenticator. */
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

/** Removes the access of an app or an agent on the account page of the user. */
export async function withdraw(
  { place, browser, person }: Scene,
  config: client.Configuration,
): Promise<void> {
  const account = await accountPage(place, browser, '', person.user);
  const csrf = account.root.querySelector('input[name=csrf]')?.getAttribute('value') ?? '';
  const form = new URLSearchParams({ csrf, client: clientIdOf(config) });
  const done = await post(browser, new URL(`${place.tenant.issuer}/account/apps/withdraw`), form);
  if (!done.url.searchParams.has('done')) throw new Error(`not withdrawn: ${done.status} ${done.url}`);
}

/** An authorization request and its callback. */
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

/** Performs the authorization request up to the redirect with a code. @throws Error without a code */
export async function authorize(
  config: client.Configuration,
  browser: Browser,
  user: DemoUser,
  parameters: Record<string, string> = {},
): Promise<Authorization> {
  const { address, verifier } = await authorizationUrl(config, parameters);
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
