import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as client from 'openid-client';
import { listen } from '../../e2e/support/live.ts';
import {
  type Authorization,
  authorize,
  everyOwnScope,
  isSignedIn,
  type SignedIn,
  signIn,
} from '../../e2e/support/sign-in.ts';
import { type BenchContext, basic } from '../scenario.ts';

/** A signed-in user with a password and a personal access token. */
export interface Employee {
  id: string;
  signedIn: SignedIn;
  /** Replaced by each refresh. */
  refreshToken: string;
  personalAccessToken: string;
}

export const random = (): string => randomBytes(8).toString('hex');

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

/** Returns the requests of an identity source. */
export function source({ demo }: BenchContext) {
  const { scim, clients } = demo.tenants.demo;
  const headers = {
    authorization: `Bearer ${clients.scim.token}`,
    'content-type': 'application/scim+json',
  };
  const call = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${scim}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  const bulk = async (operations: readonly object[]): Promise<{ location: string; status: string }[]> => {
    const answer = await call('POST', '/Bulk', { schemas: [bulkSchema], Operations: operations });
    const results = answer.Operations as { location: string; status: string }[];
    const failed = results.find(({ status }) => Number(status) >= 400);
    if (failed || results.length !== operations.length) {
      throw new Error(`a Bulk was only carried out in part: ${JSON.stringify(failed)}`);
    }
    return results;
  };
  const leave = { schemas: [patchSchema], Operations: [{ op: 'replace', path: 'active', value: false }] };
  return {
    async create(attributes: object): Promise<string> {
      return String((await call('POST', '/Users', { schemas: [userSchema], ...attributes })).id);
    },
    /** Creates users in one Bulk request; returns their ids in order. */
    async createMany(userNames: readonly string[]): Promise<string[]> {
      const results = await bulk(
        userNames.map((userName) => ({
          method: 'POST',
          path: '/Users',
          bulkId: userName,
          data: { schemas: [userSchema], userName },
        })),
      );
      return results.map(({ location }) => location.split('/').at(-1) ?? '');
    },
    async deactivate(id: string): Promise<void> {
      await call('PATCH', `/Users/${id}`, leave);
    },
    async deactivateMany(ids: readonly string[]): Promise<void> {
      await bulk(ids.map((id) => ({ method: 'PATCH', path: `/Users/${id}`, data: leave })));
    },
  };
}

export async function graph<T>(
  url: string,
  token: string,
  query: string,
  variables: object = {},
): Promise<{ status: number; data?: T; errors?: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: T; errors?: unknown };
  return { status: response.status, ...(data ? { data } : {}), ...(errors === undefined ? {} : { errors }) };
}

export async function employ(context: BenchContext): Promise<Employee> {
  const { demo } = context;
  const user = { userName: `leaver-${random()}`, password: randomBytes(16).toString('hex') };
  const id = await source(context).create(user);
  const signedIn = await signIn(demo, demo.tenants.demo, user);
  const made = await graph<{ createPersonalAccessToken: { token: string } }>(
    demo.graphql,
    signedIn.tokens.access_token,
    'mutation { createPersonalAccessToken(input: { name: "script" }) { token } }',
  );
  const personalAccessToken = made.data?.createPersonalAccessToken.token;
  if (personalAccessToken === undefined) throw new Error('there is no personal access token');
  return { id, signedIn, refreshToken: signedIn.tokens.refresh_token ?? '', personalAccessToken };
}

/** An access path of a user. */
export interface HeldAccessPath {
  isOpen(): Promise<boolean>;
  close?(): void;
}

export interface AccessPath {
  name: string;
  /** Obtains the credential before the measurement. */
  hold(person: Employee): Promise<HeldAccessPath>;
}

const held = (name: string, isOpen: (person: Employee) => Promise<boolean>): AccessPath => ({
  name,
  hold: async (person) => ({ isOpen: () => isOpen(person) }),
});

/** Number of codes per user; each can be tried once. */
const codesAtHand = 40;

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

async function get(url: string, token: string): Promise<boolean> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.ok;
}

const me = async (url: string, token: string): Promise<boolean> =>
  (await graph(url, token, '{ me { id } }')).status === 200;

/** Requests tokens; undefined on an error. */
async function askForTokens(
  { demo }: BenchContext,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ access_token?: string; refresh_token?: string } | undefined> {
  const response = await fetch(`${demo.tenants.demo.issuer}/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  const answer = (await response.json()) as { access_token?: string; refresh_token?: string };
  return response.ok ? answer : undefined;
}

/** Access paths of an access token. */
function accessTokenAccessPaths({ demo, system }: BenchContext): AccessPath[] {
  const tenant = demo.tenants.demo;
  return [
    held('graph at the gateway', (p) => me(demo.graphql, p.signedIn.tokens.access_token)),
    held('directory subgraph', (p) => me(`${system.urls.directory}/graphql`, p.signedIn.tokens.access_token)),
    held('SCIM /Me', (p) => get(`${tenant.scim}/Me`, p.signedIn.tokens.access_token)),
    held('userinfo', (p) => get(`${tenant.issuer}/userinfo`, p.signedIn.tokens.access_token)),
    held('introspection', async (person) => {
      const response = await fetch(`${tenant.issuer}/introspect`, {
        method: 'POST',
        headers: { authorization: basic(tenant.clients.api) },
        body: new URLSearchParams({ token: person.signedIn.tokens.access_token }),
      });
      return ((await response.json()) as { active: boolean }).active;
    }),
    held('personal access token', (p) => me(demo.graphql, p.personalAccessToken)),
  ];
}

function exchangedToken(context: BenchContext): AccessPath {
  const tenant = context.demo.tenants.demo;
  return {
    name: 'exchanged token',
    async hold({ signedIn }) {
      const exchanged = await askForTokens(
        context,
        {
          grant_type: exchangeGrant,
          subject_token: signedIn.tokens.access_token,
          subject_token_type: accessTokenType,
        },
        { authorization: basic(tenant.clients.api) },
      );
      return { isOpen: () => get(`${tenant.issuer}/userinfo`, exchanged?.access_token ?? '') };
    },
  };
}

function refreshToken(context: BenchContext): AccessPath {
  return held('refresh token', async (person) => {
    const answer = await askForTokens(context, {
      grant_type: 'refresh_token',
      client_id: context.demo.tenants.demo.clients.web.client_id,
      refresh_token: person.refreshToken,
    });
    if (answer?.refresh_token !== undefined) person.refreshToken = answer.refresh_token;
    return answer !== undefined;
  });
}

function authorizationCode(context: BenchContext): AccessPath {
  const { demo } = context;
  const tenant = demo.tenants.demo;
  return {
    name: 'authorization code',
    async hold({ signedIn: { browser } }) {
      const codes: Authorization[] = [];
      // The browser is signed in, so no password is needed.
      const nobody = { userName: '', password: '' };
      for (let n = 0; n < codesAtHand; n += 1) codes.push(await authorize(demo, tenant, nobody, { browser }));
      return {
        async isOpen() {
          const next = codes.pop();
          if (next === undefined) throw new Error('there are no codes left');
          const redeemed = await askForTokens(context, {
            grant_type: 'authorization_code',
            client_id: tenant.clients.web.client_id,
            code: next.callback.searchParams.get('code') ?? '',
            redirect_uri: `${next.callback.origin}${next.callback.pathname}`,
            code_verifier: next.verifier,
          });
          return redeemed !== undefined;
        },
      };
    },
  };
}

const browserSession = held('browser session', async ({ signedIn }) => {
  const address = client.buildAuthorizationUrl(signedIn.config, {
    redirect_uri: 'http://127.0.0.1:53123/callback',
    scope: everyOwnScope,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 'x',
    prompt: 'none',
  });
  return isSignedIn((await signedIn.browser.open(address)).url.searchParams);
});

const openSubscription = ({ demo }: BenchContext): AccessPath => ({
  name: 'open subscription',
  async hold({ signedIn }) {
    const query = 'subscription { userChanged { kind } }';
    const stream = await listen(demo.graphql, signedIn.tokens.access_token, { query });
    let ended = false;
    void stream.ended.then(() => {
      ended = true;
    });
    return {
      async isOpen() {
        await setImmediate();
        return !ended;
      },
      close: () => stream.stop(),
    };
  },
});

/** Returns the measured access paths. Each is requested at the process that enforces it. */
export const doors = (context: BenchContext): AccessPath[] => [
  ...accessTokenAccessPaths(context),
  exchangedToken(context),
  refreshToken(context),
  authorizationCode(context),
  browserSession,
  openSubscription(context),
];
