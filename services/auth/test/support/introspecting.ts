import { afterAll, beforeAll } from '@jest/globals';
import {
  type Backend,
  createBackend,
  type IssuedCode,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

const publicOrigin = 'http://id.test';

export type Credentials = readonly [id: string, secret: string];

/** Token of a user, with the tenant and the user. */
export interface Held {
  tenant: string;
  token: string;
  refreshToken: string;
  clientId: string;
  person: IssuedCode['person'];
}

export let backend: Backend;
export let auth: RunningAuth;
/** A second process on the same database and Redis. */
export let twin: RunningAuth;
/** Resource server of each tenant. */
export let apis: Record<'demo' | 'rival', Credentials>;

const api = async (tenant: string): Promise<Credentials> => {
  const { client, clientSecret } = await register(
    auth,
    {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
      protected_resources: ['urn:ostiary:tenant-api'],
    },
    tenant,
  );
  return [client.clientId, clientSecret ?? ''];
};

export const startOne = (env: Record<string, string> = {}, clock?: () => number): Promise<RunningAuth> =>
  startAuth(backend, { publicOrigin, env, ...(clock && { clock }) });

/** Starts two processes, with a resource server in each of two tenants. @param env variables of the second process */
export function setUpIntrospecting(env: Record<string, string> = {}, clock?: () => number): void {
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startOne();
    twin = await startOne(env, clock);
    apis = { demo: await api('demo'), rival: await api('rival') };
  });

  afterAll(async () => {
    await twin?.stop();
    await auth?.stop();
    await backend?.drop();
  });
}

/** Signs a user in to a client of the tenant; by default to a new one. */
export async function signIn(
  o: NonNullable<Parameters<typeof issueCode>[2]> & { clientId?: string } = {},
): Promise<Held> {
  const { clientId: known, ...request } = o;
  const tenant = request.tenant ?? 'demo';
  const clientId = known ?? (await register(auth, publicClient, tenant)).client.clientId;
  const { form, person } = await issueCode(auth, clientId, request);
  const { body } = await auth.post(`/t/${tenant}/token`, form);
  if (body.access_token === undefined) throw new Error(JSON.stringify(body));
  return {
    tenant,
    token: String(body.access_token),
    refreshToken: String(body.refresh_token),
    clientId,
    person,
  };
}

export const introspect = (
  at: RunningAuth,
  token: string,
  by: Credentials = apis.demo,
  tenant = 'demo',
): ReturnType<RunningAuth['post']> => at.post(`/t/${tenant}/introspect`, { token }, { basic: by });

export const userinfo = (at: RunningAuth, token: string, tenant = 'demo'): ReturnType<RunningAuth['get']> =>
  at.get(`/t/${tenant}/userinfo`, { authorization: `Bearer ${token}` });

/** Reports whether a token is valid at each endpoint that uses the feed. */
export async function doors(
  at: RunningAuth,
  token: string,
  tenant: 'demo' | 'rival' = 'demo',
): Promise<Record<string, unknown>> {
  const { status, body } = await introspect(at, token, apis[tenant], tenant);
  return {
    introspection: status === 200 ? body.active : status,
    userinfo: (await userinfo(at, token, tenant)).status,
  };
}

export const open = { introspection: true, userinfo: 200 };
export const shut = { introspection: false, userinfo: 401 };
