import { eventually } from '@ostiary/service/testing';
import { Browser, type Page } from '../support/browser.ts';
import { isSignedIn, walk } from '../support/sign-in.ts';
import { byAssertion } from './place.ts';
import { type AccessPath, type Answer, granted, lasting, type Probe, single, suspended } from './probe.ts';
import {
  answerWith,
  authorizationUrl,
  authorize,
  type KeyHolder,
  optionsOf,
  redeem,
  redirectUri,
  type Scene,
} from './scene.ts';

const left = (page: Page): boolean => page.url.href.startsWith(redirectUri);

/** Returns whether the browser was redirected to the client with a code. */
function codeAt(page: Page): Answer {
  if (left(page) && page.url.searchParams.has('code')) return 'open';
  if (left(page)) return `refused: ${page.url.searchParams.get('error')}`;
  if (page.status < 500) return `refused: ${page.status} ${page.url.pathname.split('/').slice(3).join('/')}`;
  throw new Error(`neither let in nor refused: ${page.status} ${page.url}`);
}

/** Opens a sign-in page in a new browser. */
async function signInPage({ place, apps }: Scene): Promise<{ browser: Browser; page: Page }> {
  const browser = new Browser(place.demo.origin);
  const { address } = await authorizationUrl(apps.otherApp);
  return { browser, page: await browser.open(address) };
}

/** Answers the consent page that follows an accepted passkey. */
async function afterPasskey(browser: Browser, answered: Promise<Page>): Promise<Answer> {
  const page = await answered;
  if (!left(page) && page.url.pathname.endsWith('/consent'))
    return codeAt(await browser.submit(page, {}, /allow/i));
  return codeAt(page);
}

async function silently(browser: Browser, scene: Scene): Promise<Answer> {
  const { address } = await authorizationUrl(scene.apps.otherApp, { prompt: 'none' });
  const page = await browser.open(address);
  return left(page) && isSignedIn(page.url.searchParams) ? 'open' : codeAt(page);
}

async function pendingConsent(scene: Scene): Promise<Probe> {
  const { address, verifier } = await authorizationUrl(scene.apps.newApp);
  const page = await scene.browser.open(address);
  if (!page.url.pathname.endsWith('/consent')) throw new Error(`no question: ${page.status} ${page.url}`);
  return async () => {
    const done = await scene.browser.submit(page, {}, /allow/i);
    const answer = codeAt(done);
    if (answer !== 'open') return answer;
    return granted(redeem({ config: scene.apps.newApp, callback: done.url, verifier }));
  };
}

async function challengeUnderWay(scene: Scene, holder: KeyHolder): Promise<Probe> {
  const { browser, page } = await signInPage(scene);
  const credential = holder.authenticator.get(optionsOf(page));
  return () => afterPasskey(browser, answerWith(browser, page, credential));
}

async function secondFactorMissing(scene: Scene): Promise<Probe> {
  const { user, authenticator } = scene.careful;
  const { browser, page } = await signInPage(scene);
  const asked = await browser.submit(page, { username: user.userName, password: user.password });
  if (!asked.url.pathname.endsWith('/login/verify')) throw new Error(`no second step: ${asked.url}`);
  const credential = authenticator.get(optionsOf(asked));
  return () => afterPasskey(browser, answerWith(browser, asked, credential));
}

async function recoveryCode(scene: Scene): Promise<Probe> {
  const { user, recoveryCodes } = scene.keyHolder;
  const recovery = recoveryCodes.pop() ?? '';
  const { browser, page } = await signInPage(scene);
  return async () => {
    const form = await browser.open(new URL(page.url.href.replace('/login?', '/login/recover?')));
    // A suspended tenant has no such page.
    if (form.status === 403) return 'refused: 403';
    const done = await browser.submit(form, { username: user.userName, code: recovery });
    if (done.status === 200 && done.url.pathname.endsWith('/invitation')) return 'open';
    if (done.status === 401) return 'refused: 401';
    throw new Error(`neither let in nor refused: ${done.status} ${done.url}`);
  };
}

/**
 * A link that sets a password. Opening it does not use it up. When the page is gone, the earlier form is sent with a
 * password that is too weak, so that the link stays valid if another process accepts it.
 */
async function link(scene: Scene, address: URL): Promise<Probe> {
  const browser = new Browser(scene.place.demo.origin);
  // A process after a kill answers late; the form is needed for as long as the link is watched.
  const shown = await eventually(
    () => browser.open(address),
    ({ status }) => status !== 503,
  );
  return async () => {
    const now = await browser.open(address);
    if (now.status === 200) return 'open';
    const sent = await browser.submit(shown, { password: 'x', repeated: 'x' });
    if (sent.status !== now.status) throw new Error(`looks closed, and answers ${sent.status} ${sent.url}`);
    if (now.status === 410 || now.status === 403) return `refused: ${now.status}`;
    throw new Error(`neither let in nor refused: ${now.status} ${now.url}`);
  };
}

/** Access paths in a browser. */
export const browserAccessPaths: readonly AccessPath[] = [
  {
    name: 'browser session',
    open: async (scene) => lasting(() => silently(scene.browser, scene)),
  },
  {
    name: 'another browser’s session',
    async open(scene) {
      const browser = new Browser(scene.place.demo.origin);
      await authorize(scene.apps.otherApp, browser, scene.person.user);
      return lasting(() => silently(browser, scene));
    },
  },
  { name: 'consent page, not answered', open: (scene) => single(scene, () => pendingConsent(scene)) },
  {
    name: 'sign-in, second factor missing',
    open: (scene) => single(scene, () => secondFactorMissing(scene)),
  },
  {
    name: 'passkey challenge, not answered',
    open: (scene) => single(scene, () => challengeUnderWay(scene, scene.keyHolder)),
  },
  { name: 'invitation', open: async (scene) => lasting(await link(scene, scene.invited.link)) },
  {
    name: 'link that resets access',
    async open(scene) {
      const input = { userId: scene.person.id };
      const { url = '' } = await scene.place.change('resetUserAccess', 'ResetUserAccessInput', input, 'url');
      return lasting(await link(scene, new URL(url)));
    },
  },
];

/** Credentials of users, which are accepted again after a reactivation. */
export const waysIn: readonly AccessPath[] = [
  {
    name: 'password',
    async open(scene) {
      // The current password, which may change later.
      const user = { ...scene.person.user };
      return lasting(async () => {
        const { address } = await authorizationUrl(scene.apps.otherApp);
        return codeAt(await walk(new Browser(scene.place.demo.origin), address, user));
      });
    },
  },
  {
    name: 'passkey',
    open: async (scene) =>
      lasting(async () => {
        const { browser, page } = await signInPage(scene);
        if (page.status === 403) return codeAt(page);
        const credential = scene.keyHolder.authenticator.get(optionsOf(page));
        return afterPasskey(browser, answerWith(browser, page, credential));
      }),
  },
  { name: 'recovery code', open: (scene) => single(scene, () => recoveryCode(scene)) },
  {
    name: 'assertion of a trusted issuer',
    open: async (scene) =>
      lasting(() => granted(byAssertion(scene.place, scene.person), ['invalid_grant', suspended])),
  },
];
