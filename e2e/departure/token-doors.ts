import { Prover } from '@ostiary/access/testing';
import * as client from 'openid-client';
import { graph, meQuery } from '../support/graph.ts';
import { connect, listen } from '../support/live.ts';
import { ScimClient } from '../support/scim.ts';
import { boundTokens } from './grant-doors.ts';
import { tokenForItself } from './owned.ts';
import { byAssertion, clientIdOf, exchange, type Place } from './place.ts';
import {
  type AccessPath,
  type Answer,
  admitted,
  granted,
  lasting,
  type OpenedAccessPath,
  type Probe,
  suspended,
} from './probe.ts';
import { accountPage, authorize, post, redeem, redirectUri, type Scene } from './scene.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function ask(url: string, token: string, query: string): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
}

/** Lists users with the token of an identity source. */
async function listing({ tenant }: Place, connectorToken: string): Promise<Answer> {
  const { status } = await new ScimClient(tenant, connectorToken).call('GET', '/Users?count=1');
  if (status === 200) return 'open';
  if (status === 401) return 'refused: 401';
  throw new Error(`neither let in nor refused: ${status}`);
}

/** Queries the gateway, with another query for tokens without a user. */
const atGraph = async ({ demo }: Place, token: string, query = meQuery): Promise<Answer> => {
  const { status } = await graph(demo, token, query);
  if (status === 200) return 'open';
  if (status === 401) return 'refused: 401';
  throw new Error(`neither let in nor refused: ${status}`);
};

/** Queries users as a client or service account, which succeeds with the scope. */
async function readsUsers({ demo }: Place, token: string): Promise<Answer> {
  const { status, data, errors } = await graph(demo, token, '{ users(first: 1) { totalCount } }');
  if (status === 401) return 'refused: 401';
  const code = errors[0]?.extensions?.code;
  if (code === 'FORBIDDEN') return 'refused: FORBIDDEN';
  if (typeof data?.users?.totalCount === 'number') return 'open';
  throw new Error(`neither let in nor refused: ${status} ${code}`);
}

/** A suspended tenant rejects every caller with 403. */
const atUserinfo = ({ tenant }: Place, token: string): Promise<Answer> =>
  admitted(fetch(`${tenant.issuer}/userinfo`, { headers: bearer(token) }), [401, 403]);

/** A deleted user is briefly not found before the token is rejected, and the token counts as accepted then. */
async function atMe({ tenant }: Place, token: string): Promise<Answer> {
  const answer = await admitted(fetch(`${tenant.scim}/Me`, { headers: bearer(token) }), [401, 404]);
  return answer === 'refused: 404' ? 'open' : answer;
}

async function atIntrospection({ apps }: Scene, token: string): Promise<Answer> {
  // A suspended tenant rejects introspection.
  let active = false;
  const answer = await granted(
    client.tokenIntrospection(apps.service, token).then((introspected) => {
      active = introspected.active;
    }),
    ['invalid_client', suspended],
  );
  if (answer !== 'open') return answer;
  return active ? 'open' : 'refused: not active';
}

/** Uses a token of a user at every endpoint that accepts one. */
const everywhere = async (scene: Scene, token: string): Promise<Answer> => {
  const { place } = scene;
  const answers = await Promise.all([
    atGraph(place, token),
    atUserinfo(place, token),
    atMe(place, token),
    atIntrospection(scene, token),
  ]);
  // Open if one endpoint accepts it, closed if all reject it.
  return answers.find((answer) => answer === 'open') ?? answers[0] ?? 'open';
};

const held = (name: string, tokenOf: (scene: Scene) => Promise<string>): AccessPath => ({
  name,
  async open(scene) {
    const token = await tokenOf(scene);
    return lasting(() => everywhere(scene, token));
  },
});

const accessTokenAt = (
  where: string,
  probe: (scene: Scene, token: string) => Promise<Answer>,
): AccessPath => ({
  name: `access token at ${where}`,
  open: async (scene) => lasting(() => probe(scene, scene.tokens.access_token)),
});

/** Creates a personal access token on the account page, without any client. */
async function ownToken(scene: Scene): Promise<string> {
  const { place, browser, person } = scene;
  const page = await accountPage(place, browser, '/tokens', person.user);
  const csrf = page.root.querySelector('input[name=csrf]')?.getAttribute('value') ?? '';
  const form = new URLSearchParams({ csrf, name: 'script', scope: 'openid', days: '7' });
  const made = await post(browser, page.url, form);
  const token = made.root.querySelector('code.typed')?.text;
  if (!token) throw new Error(`no token: ${made.status} ${made.url}`);
  return token;
}

async function tokenMadeByApp({ place, tokens }: Scene): Promise<string> {
  const response = await fetch(`${place.tenant.issuer}/personal-access-tokens`, {
    method: 'POST',
    headers: { ...bearer(tokens.access_token), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'backup', scope: 'openid' }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function bound(scene: Scene): Promise<OpenedAccessPath> {
  const { config, tokens, options } = await boundTokens(scene);
  const me = new URL(`${scene.place.tenant.scim}/Me`);
  return lasting(async () => {
    try {
      await client.fetchProtectedResource(
        config,
        tokens.access_token,
        me,
        'GET',
        null,
        new Headers(),
        options,
      );
      return 'open';
    } catch (error) {
      if (error instanceof client.WWWAuthenticateChallengeError && error.status === 401)
        return 'refused: 401';
      throw error;
    }
  });
}

const subscription = { query: 'subscription { userChanged { kind } }' };

/** An open event stream stays open until the server ends it; when it is closed, no new one can be opened. */
async function streamed({ place }: Scene, token: string): Promise<OpenedAccessPath> {
  const stream = await listen(place.demo.graphql, token, subscription);
  let ended = false;
  void stream.ended.then(() => {
    ended = true;
  });
  const probe: Probe = async () => {
    if (!ended) return 'open';
    const code = stream.results.at(-1)?.errors?.[0]?.extensions?.code;
    const again = await listen(place.demo.graphql, token, subscription);
    const refused = await Promise.race([
      again.ended.then(() => true),
      new Promise((go) => setTimeout(go, 3_000, false)),
    ]);
    again.stop();
    if (!refused) throw new Error('the stream ended, and another one is given');
    return `refused: ${code}`;
  };
  return lasting(probe, () => stream.stop());
}

async function socketed({ place }: Scene, parameters: Record<string, string>): Promise<OpenedAccessPath> {
  const socket = connect(place.demo.graphql, parameters);
  await Promise.race([
    socket.acknowledged,
    socket.closed.then(({ code, reason }) => {
      throw new Error(`the connection was refused: ${code} ${reason}`);
    }),
  ]);
  socket.subscribe(subscription);
  let closed: number | undefined;
  void socket.closed.then(({ code }) => {
    closed = code;
  });
  return lasting(
    async () => (closed === undefined ? 'open' : `refused: ${closed}`),
    () => socket.close(),
  );
}

/** The proof covers the request that opens the connection, so it is created here. */
async function boundSocket(scene: Scene): Promise<OpenedAccessPath> {
  const { place, apps, browser, person } = scene;
  const prover = await Prover.create();
  const { callback, verifier } = await authorize(apps.app, browser, person.user);
  const form = {
    grant_type: 'authorization_code',
    client_id: clientIdOf(apps.app),
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await prover.fetch(`${place.tenant.issuer}/token`, { method: 'POST', headers, body });
  const { access_token } = (await answer.json()) as { access_token: string };
  // Requests the gateway's nonce, which a socket needs.
  const graphql = { method: 'POST', headers: { 'content-type': 'application/json' } };
  await prover.fetch(
    place.demo.graphql,
    { ...graphql, body: JSON.stringify({ query: meQuery }) },
    access_token,
  );
  const dpop = await prover.proof('GET', place.demo.graphql, access_token);
  return socketed(scene, { authorization: `DPoP ${access_token}`, dpop });
}

const delegated = ({ apps, colleague, tokens }: Scene): Promise<string> =>
  exchange(apps.service, colleague.tokens.access_token, tokens.access_token);

/** Access paths of a service account. */
export const accessPathsOfAccount: readonly string[] = [
  'API key of a service account',
  'access token of a service account',
  'subscription under an API key',
];

/** Access path that a delegation opens. */
export const tokenOfAgent = 'token of an agent';

/** Tokens that are sent to resource servers. */
export const tokenAccessPaths: readonly AccessPath[] = [
  accessTokenAt('the graph', ({ place }, token) => atGraph(place, token)),
  accessTokenAt('the subgraph auth', ({ place }, token) =>
    admitted(ask(place.urls.auth, token, '{ __typename }')),
  ),
  accessTokenAt('the subgraph directory', ({ place }, token) =>
    admitted(ask(place.urls.directory, token, '{ __typename }')),
  ),
  accessTokenAt('the subgraph provisioning', ({ place }, token) =>
    admitted(ask(place.urls.provisioning, token, '{ __typename }')),
  ),
  accessTokenAt('userinfo', ({ place }, token) => atUserinfo(place, token)),
  accessTokenAt('SCIM /Me', ({ place }, token) => atMe(place, token)),
  accessTokenAt('introspection', atIntrospection),
  accessTokenAt('token exchange', ({ apps }, token) =>
    granted(exchange(apps.service, token), ['invalid_request', 'invalid_client', suspended]),
  ),
  { name: 'access token bound to a key (DPoP)', open: bound },
  held('access token of another app', async ({ apps, browser, person }) => {
    const { access_token } = await redeem(await authorize(apps.otherApp, browser, person.user));
    return access_token;
  }),
  held('access token by assertion', async ({ place, person }) => {
    const { access_token } = await byAssertion(place, person);
    return access_token;
  }),
  held('exchanged token', ({ apps, tokens }) => exchange(apps.service, tokens.access_token)),
  held('token exchanged twice', async ({ apps, tokens }) =>
    exchange(apps.nextService, await exchange(apps.service, tokens.access_token)),
  ),
  held('delegated token, as its subject', ({ apps, tokens, colleague }) =>
    exchange(apps.service, tokens.access_token, colleague.tokens.access_token),
  ),
  held('delegated token, as its actor', delegated),
  held('delegated token, as an earlier actor', async (scene) =>
    exchange(scene.apps.nextService, await delegated(scene)),
  ),
  held(tokenOfAgent, ({ apps, tokens }) => exchange(apps.agent, tokens.access_token)),
  held('personal access token', ownToken),
  held('personal access token made by the app', tokenMadeByApp),
  {
    name: 'API key of a service account',
    open: async ({ place, account }) => lasting(() => readsUsers(place, account.apiKey)),
  },
  {
    name: 'access token of a service account',
    async open({ place, account }) {
      const token = await account.token();
      return lasting(() => readsUsers(place, token));
    },
  },
  {
    name: 'access token of an app for itself',
    async open({ place, apps }) {
      const { access_token } = await client.clientCredentialsGrant(apps.service, { scope: 'users:read' });
      return lasting(() => readsUsers(place, access_token));
    },
  },
  {
    name: 'API key of an owned service account',
    open: async ({ place, manager }) =>
      lasting(() => atGraph(place, manager.apiKey, '{ users(first: 1) { totalCount } }')),
  },
  {
    name: 'access token of an owned app, for itself',
    async open({ place, manager }) {
      const token = await tokenForItself(manager.service);
      return lasting(() => atGraph(place, token, '{ users(first: 1) { totalCount } }'));
    },
  },
  {
    name: 'token of an owned connector',
    open: async ({ place, manager }) => lasting(() => listing(place, manager.connectorToken)),
  },
  {
    name: 'connector token',
    open: async ({ place, connector }) => lasting(() => listing(place, connector.token)),
  },
  {
    name: 'connector token, writing',
    open: async ({ place, connector, colleague }) =>
      lasting(async () => {
        const source = new ScimClient(place.tenant, connector.token);
        const operation = { op: 'replace', path: 'nickName', value: 'Ash' };
        const { status } = await source.patch(`/Users/${colleague.id}`, [operation]);
        if (status === 200 || status === 204) return 'open';
        if (status === 401 || status === 403) return `refused: ${status}`;
        throw new Error(`neither let in nor refused: ${status}`);
      }),
  },
  {
    name: 'subscription, event stream',
    open: (scene) => streamed(scene, scene.tokens.access_token),
  },
  {
    name: 'subscription, WebSocket',
    open: (scene) => socketed(scene, { authorization: `Bearer ${scene.tokens.access_token}` }),
  },
  {
    name: 'subscription under a personal access token',
    open: async (scene) => streamed(scene, await ownToken(scene)),
  },
  {
    name: 'subscription under an API key',
    open: async ({ place, account }) => {
      const stream = await listen(place.demo.graphql, account.apiKey, subscription);
      let ended = false;
      void stream.ended.then(() => {
        ended = true;
      });
      const code = () => stream.results.at(-1)?.errors?.[0]?.extensions?.code;
      return lasting(
        async () => (ended ? `refused: ${code()}` : 'open'),
        () => stream.stop(),
      );
    },
  },
  {
    name: 'subscription under an exchanged token',
    open: async (scene) => streamed(scene, await exchange(scene.apps.service, scene.tokens.access_token)),
  },
  {
    name: 'subscription under a delegated token, as its actor',
    open: async (scene) => socketed(scene, { authorization: `Bearer ${await delegated(scene)}` }),
  },
  { name: 'subscription under a bound token (DPoP)', open: boundSocket },
];
