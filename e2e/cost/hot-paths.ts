import { type Demo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { type Authorization, adminToken, authorize, redeem, signIn } from '../support/sign-in.ts';

/** Frequent request, with its preparation. */
export interface HotPath {
  name: string;
  /** @param count number of requests that follow */
  prepare(demo: Demo, count: number): Promise<(index: number) => Promise<unknown>>;
}

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

async function expectStatus(status: number, request: Promise<{ status: number }>): Promise<void> {
  const answer = await request;
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`);
}

async function post(url: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const tenantOf = (demo: Demo) => demo.tenants.demo;

async function scimOf(demo: Demo): Promise<ScimClient> {
  const tenant = tenantOf(demo);
  return new ScimClient(tenant, tenant.clients.scim.token);
}

const newUser = (scim: ScimClient) => scim.createUser({ userName: `${unique('hot')}@example.com` });

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

/** Creates authorization codes that are not redeemed yet. */
async function codes(demo: Demo, count: number): Promise<Authorization[]> {
  const tenant = tenantOf(demo);
  const scope = 'openid offline_access';
  const first = await authorize(demo, tenant, tenant.users.alice, { scope });
  const { browser } = first;
  const others = await times(count - 1, () =>
    authorize(demo, tenant, tenant.users.alice, { scope, browser }),
  );
  return [first, ...others];
}

const exchangeForm = ({ callback, verifier }: Authorization, clientId: string) => ({
  grant_type: 'authorization_code',
  code: callback.searchParams.get('code') ?? '',
  redirect_uri: `${callback.origin}${callback.pathname}`,
  client_id: clientId,
  code_verifier: verifier,
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const accessTokenOf = async (demo: Demo): Promise<string> => {
  const tenant = tenantOf(demo);
  return (await signIn(demo, tenant, tenant.users.alice)).tokens.access_token;
};

/** Requests of resource servers and apps to the authorization server. */
const oauth: readonly HotPath[] = [
  {
    name: 'token: client_credentials',
    prepare: async (demo) => {
      const { issuer, clients } = tenantOf(demo);
      const headers = { authorization: basic(clients.admin.client_id, clients.admin.client_secret) };
      return () => expectStatus(200, post(`${issuer}/token`, { grant_type: 'client_credentials' }, headers));
    },
  },
  {
    name: 'token: authorization_code',
    prepare: async (demo, count) => {
      const { issuer, clients } = tenantOf(demo);
      const waiting = await codes(demo, count);
      return (index) => {
        const form = exchangeForm(waiting[index] as Authorization, clients.web.client_id);
        return expectStatus(200, post(`${issuer}/token`, form));
      };
    },
  },
  {
    name: 'token: refresh_token',
    prepare: async (demo) => {
      const { issuer, clients } = tenantOf(demo);
      const [code] = await codes(demo, 1);
      let token = (await redeem(code as Authorization)).tokens.refresh_token ?? '';
      return async () => {
        const form = { grant_type: 'refresh_token', refresh_token: token, client_id: clients.web.client_id };
        const answer = await post(`${issuer}/token`, form);
        token = answer.body.refresh_token ?? '';
        return expectStatus(200, Promise.resolve(answer));
      };
    },
  },
  {
    name: 'introspection',
    prepare: async (demo) => {
      const { issuer, clients } = tenantOf(demo);
      const token = await accessTokenOf(demo);
      const headers = { authorization: basic(clients.api.client_id, clients.api.client_secret) };
      return () => expectStatus(200, post(`${issuer}/introspect`, { token }, headers));
    },
  },
  {
    name: 'userinfo',
    prepare: async (demo) => {
      const headers = bearer(await accessTokenOf(demo));
      return () => expectStatus(200, fetch(`${tenantOf(demo).issuer}/userinfo`, { headers }));
    },
  },
  {
    name: 'sign-in: a password, consent and a code',
    prepare: async (demo) => () => codes(demo, 1),
  },
  {
    name: 'sign-in: a session and a code',
    prepare: async (demo) => {
      const tenant = tenantOf(demo);
      const scope = 'openid';
      const { browser } = await authorize(demo, tenant, tenant.users.alice, { scope });
      return () => authorize(demo, tenant, tenant.users.alice, { scope, browser });
    },
  },
];

/** Requests of identity providers and apps to the directory. */
const directory: readonly HotPath[] = [
  {
    name: 'SCIM: create a user',
    prepare: async (demo) => {
      const scim = await scimOf(demo);
      return () => newUser(scim);
    },
  },
  {
    name: 'SCIM: read a user',
    prepare: async (demo) => {
      const scim = await scimOf(demo);
      const { id } = await newUser(scim);
      return () => expectStatus(200, scim.call('GET', `/Users/${id}`));
    },
  },
  {
    name: 'SCIM: userName eq',
    prepare: async (demo) => {
      const scim = await scimOf(demo);
      const filter = encodeURIComponent('userName eq "alice"');
      return () => expectStatus(200, scim.call('GET', `/Users?filter=${filter}`));
    },
  },
  {
    name: 'SCIM: deactivate a user',
    prepare: async (demo, count) => {
      const scim = await scimOf(demo);
      const people = await times(count, () => newUser(scim));
      return (index) =>
        expectStatus(
          200,
          scim.patch(`/Users/${people[index]?.id}`, [{ op: 'replace', path: 'active', value: false }]),
        );
    },
  },
  {
    name: 'graph: one page of users',
    prepare: async (demo) => {
      const token = await adminToken(tenantOf(demo), 'users:read');
      const query = '{ users(first: 5) { edges { node { id userName displayName } } } }';
      return async () => {
        const { errors } = await graph(demo, token, query);
        if (errors.length > 0) throw new Error(errors[0]?.message);
      };
    },
  },
];

/** The most frequent requests, and those with the strictest latency requirements. */
export const hotPaths: readonly HotPath[] = [...oauth, ...directory];
