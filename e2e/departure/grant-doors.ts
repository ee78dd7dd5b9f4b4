import * as client from 'openid-client';
import { Browser } from '../support/browser.ts';
import { everyOwnScope, walk } from '../support/sign-in.ts';
import { clientIdOf, deviceGrant } from './place.ts';
import {
  type AccessPath,
  type Answer,
  admitted,
  granted,
  lasting,
  type Probe,
  single,
  suspended,
} from './probe.ts';
import { authorizationUrl, authorize, redeem, type Scene } from './scene.ts';

const refusals = ['invalid_grant', 'invalid_client', suspended];

/** Requests userinfo with a token. */
const worksAtUserinfo = ({ place }: Scene, token: string): Promise<Answer> =>
  admitted(
    fetch(`${place.tenant.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } }),
    [401, 403],
  );

/** Requests a token and reports whether it is accepted. */
async function givesToken(
  scene: Scene,
  request: () => Promise<client.TokenEndpointResponse>,
): Promise<Answer> {
  let token = '';
  const answer = await granted(
    request().then((tokens) => {
      token = tokens.access_token;
    }),
    refusals,
  );
  return answer === 'open' ? worksAtUserinfo(scene, token) : answer;
}

const code = (name: string, app: 'app' | 'otherApp'): AccessPath => ({
  name,
  open: (scene) =>
    single(scene, async () => {
      const authorization = await authorize(scene.apps[app], scene.browser, scene.person.user);
      return () => givesToken(scene, () => redeem(authorization));
    }),
});

const refresh = (name: string, tokensOf: (scene: Scene) => Promise<Refreshable>): AccessPath => ({
  name,
  async open(scene) {
    const { config, options, tokens } = await tokensOf(scene);
    let last = tokens.refresh_token ?? '';
    return lasting(() =>
      granted(
        client.refreshTokenGrant(config, last, undefined, options).then((refreshed) => {
          last = refreshed.refresh_token ?? '';
        }),
        refusals,
      ),
    );
  },
});

interface Refreshable {
  config: client.Configuration;
  tokens: client.TokenEndpointResponse;
  options?: client.DPoPOptions;
}

export async function boundTokens({ apps, browser, person }: Scene): Promise<Refreshable> {
  const options = { DPoP: client.getDPoPHandle(apps.app, await client.randomDPoPKeyPair()) };
  const tokens = await redeem(await authorize(apps.app, browser, person.user), options);
  return { config: apps.app, tokens, options };
}

/** The end of a session does not revoke offline_access. */
async function tokensOfEndedSession({ place, apps, person }: Scene): Promise<Refreshable> {
  const browser = new Browser(place.demo.origin);
  const tokens = await redeem(await authorize(apps.app, browser, person.user));
  const page = await browser.open(
    client.buildEndSessionUrl(apps.app, { id_token_hint: tokens.id_token ?? '' }),
  );
  if (page.root.querySelector('form')) await browser.submit(page);
  return { config: apps.app, tokens };
}

const poll = (config: client.Configuration, deviceCode: string): Promise<client.TokenEndpointResponse> =>
  client.genericGrantRequest(config, deviceGrant, { device_code: deviceCode });

const newDevice = ({ apps }: Scene): Promise<client.DeviceAuthorizationResponse> =>
  client.initiateDeviceAuthorization(apps.app, { scope: everyOwnScope });

async function waits(config: client.Configuration, deviceCode: string): Promise<Answer> {
  try {
    await poll(config, deviceCode);
  } catch (error) {
    const said = (error as { error?: string }).error;
    if (said === 'authorization_pending') return 'open';
    if (said !== undefined && refusals.includes(said)) return `refused: ${said}`;
    throw error;
  }
  throw new Error('a device that nobody allowed got tokens');
}

async function pushed({ place, apps }: Scene): Promise<Probe> {
  const { address } = await authorizationUrl(apps.app);
  const response = await fetch(`${place.tenant.issuer}/par`, { method: 'POST', body: address.searchParams });
  const { request_uri } = (await response.json()) as { request_uri: string };
  const query = new URLSearchParams({ client_id: clientIdOf(apps.app), request_uri });
  return async () => {
    const page = await new Browser(place.demo.origin).open(`${place.tenant.issuer}/authorize?${query}`);
    if (page.status === 200 && page.root.querySelector('input[type=password]')) return 'open';
    if (page.status === 400 || page.status === 403) return `refused: ${page.status}`;
    throw new Error(`neither sign-in nor refusal: ${page.status} ${page.url}`);
  };
}

/** Credentials that the protocol issues before an access token, and those that renew one. */
export const grantAccessPaths: readonly AccessPath[] = [
  code('authorization code, not redeemed', 'app'),
  code('authorization code of another app', 'otherApp'),
  {
    name: 'pushed authorization request',
    open: (scene) => single(scene, () => pushed(scene)),
  },
  {
    name: 'device code, waiting',
    open: (scene) =>
      single(scene, async () => {
        const { device_code } = await newDevice(scene);
        return () => waits(scene.apps.app, device_code);
      }),
  },
  {
    name: 'device code, allowed and not redeemed',
    open: (scene) =>
      single(scene, async () => {
        const device = await newDevice(scene);
        const page = await walk(
          scene.browser,
          new URL(device.verification_uri_complete ?? ''),
          scene.person.user,
        );
        if (!page.url.pathname.endsWith('/device/finished')) throw new Error(`not allowed: ${page.url}`);
        return () => givesToken(scene, () => poll(scene.apps.app, device.device_code));
      }),
  },
  refresh('refresh token', async ({ apps, browser, person }) => ({
    config: apps.app,
    tokens: await redeem(await authorize(apps.app, browser, person.user)),
  })),
  refresh('refresh token of another session', async ({ place, apps, person }) => ({
    config: apps.app,
    tokens: await redeem(await authorize(apps.app, new Browser(place.demo.origin), person.user)),
  })),
  refresh('refresh token of a session that was signed out', tokensOfEndedSession),
  refresh('refresh token bound to a key (DPoP)', boundTokens),
  refresh('refresh token of another app', async ({ apps, browser, person }) => ({
    config: apps.otherApp,
    tokens: await redeem(await authorize(apps.otherApp, browser, person.user)),
  })),
];
