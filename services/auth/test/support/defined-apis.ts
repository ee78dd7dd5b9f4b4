import type { Api, ApiSettings } from '../../src/clients/apis/domain/api.ts';
import {
  claimsOf,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
} from './running-auth.ts';
import { auth } from './two-processes.ts';

const english = (text: string) => ({ en: text });

let made = 0;

/** Returns names of an API that no other test uses. */
export function named(subject: string) {
  made += 1;
  const name = `${subject}${made}`;
  return { identifier: `https://${name}.example/v1`, read: `${name}:read`, write: `${name}:write` };
}

export interface Defined {
  api: Api;
  identifier: string;
  read: string;
  write: string;
}

/** Registers an API with two scopes. */
export async function define(
  subject: string,
  o: Partial<ApiSettings> & { tenant?: string; as?: ReturnType<typeof named> } = {},
): Promise<Defined> {
  const { tenant = 'demo', as = named(subject), ...settings } = o;
  const api = await auth.deps.apis.register(tenant, {
    identifier: as.identifier,
    name: subject,
    scopes: [
      { name: as.read, descriptions: english(`See ${subject}`) },
      { name: as.write, descriptions: english(`Change ${subject}`) },
    ],
    roles: [],
    tokenLifetimeSeconds: null,
    tokenFormat: 'jwt',
    ...settings,
  });
  return { ...as, api };
}

export interface Machine {
  clientId: string;
  basic: readonly [string, string];
}

/** Registers a client that acts for itself. */
export async function machine(metadata: object, tenant = 'demo'): Promise<Machine> {
  const { client, clientSecret = '' } = await register(
    auth,
    { grant_types: ['client_credentials'], redirect_uris: [], scope: '', ...metadata },
    tenant,
  );
  return { clientId: client.clientId, basic: [client.clientId, clientSecret] };
}

export const own = ({ basic }: Machine, fields: Fields = {}, at = auth, tenant = 'demo') =>
  at.post(`/t/${tenant}/token`, { grant_type: 'client_credentials', ...fields }, { basic });

/** Registers a public client for users. */
export const app = async (scope: string, metadata: object = {}): Promise<string> =>
  (await register(auth, { ...publicClient, scope, ...metadata })).client.clientId;

/** Redeems a code for these scopes and resources. */
export async function ofUser(
  clientId: string,
  o: { scopes: string[]; resources?: string[] },
  fields: Fields = {},
) {
  const { form, person } = await issueCode(auth, clientId, o);
  const { status, body } = await auth.post('/t/demo/token', { ...form, ...fields });
  const refresh = (more: Fields = {}, at: RunningAuth = auth) =>
    at.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
      client_id: clientId,
      ...more,
    });
  return { status, body, person, refresh };
}

/** Returns audience and scopes of a JWT. */
export const targetOf = (token: unknown): { aud: unknown; scope: unknown } => {
  const { aud, scope } = claimsOf(token);
  return { aud, scope };
};

export const isLive = async (token: unknown, at = auth, tenant = 'demo'): Promise<boolean> =>
  (await at.deps.introspection.liveAccessToken(tenant, String(token))) !== null;
